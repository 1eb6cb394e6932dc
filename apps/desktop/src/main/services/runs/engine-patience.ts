import type { Result } from '@shared/result'
import type { ContainerError } from '../../ports/container-runtime'
import type { Clock } from '../../ports/clock'

/** How often an engine that does not answer is asked again. */
export const engineRetryMs = 5_000

export interface Patience {
  readonly clock: Clock
  readonly detach: AbortSignal
  readonly onUnreachable: (error: ContainerError) => void
}

/**
 * Asks until the engine of containers answers: a run's truth is its container, so nothing is decided without it.
 * null when the caller left meanwhile.
 */
export async function untilAnswered<T>(
  ask: () => Promise<Result<T, ContainerError>>,
  { clock, detach, onUnreachable }: Patience,
): Promise<Result<T, ContainerError> | null> {
  for (;;) {
    if (detach.aborted) return null
    const answer = await ask()
    if (detach.aborted) return null
    if (answer.ok || answer.error.type !== 'unreachable') return answer
    onUnreachable(answer.error)
    await clock.sleep(engineRetryMs, detach)
  }
}
