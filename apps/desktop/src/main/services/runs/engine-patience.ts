import type { Result } from '@shared/result'
import type { ContainerError } from '../../ports/container-runtime'
import type { Clock } from '../../ports/clock'

/** How often an engine that does not answer is asked again. */
export const engineRetryMs = 5_000
/** An engine that answers, but fails by itself, is asked this often: one that shuts down is gone by then. */
const mostFailures = 5

export interface Patience {
  readonly clock: Clock
  readonly detach: AbortSignal
  readonly onUnreachable: (error: ContainerError) => void
}

/**
 * Asks until the engine of containers answers: a run's truth is its container, so nothing is decided without it.
 * null when the caller left meanwhile, at once: an engine that hangs keeps nobody.
 */
export async function untilAnswered<T>(
  ask: () => Promise<Result<T, ContainerError>>,
  { clock, detach, onUnreachable }: Patience,
): Promise<Result<T, ContainerError> | null> {
  for (let failures = 0; !detach.aborted;) {
    const answer = await unlessLeft(ask(), detach)
    if (answer === null || answer.ok) return answer
    if (isAway(answer.error)) onUnreachable(answer.error)
    else if (!answer.error.retryable || (failures += 1) >= mostFailures) return answer
    await clock.sleep(engineRetryMs, detach)
  }
  return null
}

/** What the engine answers, or null as soon as the caller leaves; the answer, or a failure, then comes to nobody. */
export async function unlessLeft<T>(answer: Promise<T>, left: AbortSignal): Promise<T | null> {
  if (left.aborted) {
    // Nobody waits, but a rejection that nobody takes would end the process.
    answer.catch(() => undefined)
    return null
  }
  let leave = (): void => undefined
  const gone = new Promise<null>((resolve) => {
    leave = () => resolve(null)
    left.addEventListener('abort', leave, { once: true })
  })
  try {
    const first = await Promise.race([answer, gone])
    return left.aborted ? null : first
  } finally {
    left.removeEventListener('abort', leave)
  }
}

const isAway = ({ type }: ContainerError): boolean =>
  type === 'unreachable' || type === 'not_permitted' || type === 'api_too_old'
