import { stackOf } from '@shared/defect'
import type { Result } from '@shared/result'
import type { Clock } from '../../ports/clock'
import type {
  ContainerError,
  ContainerErrorType,
  ContainerRuntime,
  EngineInfo,
} from '../../ports/container-runtime'
import type { Logger } from '../../ports/logger'
import { aside } from '../aside'

/*
 * Whether the engine of containers answers: asked seldom while it does, often while it does not, and told by whoever
 * notices it in passing.
 */

export type EngineState =
  | { readonly state: 'unknown' }
  | { readonly state: 'reachable'; readonly info: EngineInfo | null }
  | {
      readonly state: 'unreachable' | 'not_permitted' | 'too_old'
      readonly message: string
      readonly since: number
      /** What is tried; null where nothing was found to try. */
      readonly endpoint: string | null
    }

export interface EngineWatch {
  current(): EngineState
  /** What somebody just saw; `value` null: it answered, but said nothing about itself. */
  seen(answer: Result<EngineInfo | null, ContainerError>): void
  askNow(): Promise<EngineState>
  start(): void
  close(): void
}

/** An engine that does not answer is asked again soon. */
export const askEveryMs = { reachable: 60_000, away: 5_000 } as const

interface Parts {
  readonly runtime: Pick<ContainerRuntime, 'info'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  /** Where the engine would be looked for now; null: nothing says. */
  readonly findEndpoint: () => Promise<string | null>
  readonly onChange: (state: EngineState) => void
}

export function createEngineWatch(parts: Parts): EngineWatch {
  const { runtime, clock, logger, findEndpoint, onChange } = parts
  const closing = new AbortController()
  let current: EngineState = { state: 'unknown' }
  let endpoint: string | null = null
  let wake = new AbortController()

  const seen = (answer: Result<EngineInfo | null, ContainerError>): void => {
    // An answer may come late, to an engine whose database is closed.
    if (closing.signal.aborted) return
    const before = current
    if (answer.ok && answer.value !== null) endpoint = answer.value.endpoint
    current = toState(answer, before, { now: clock.now(), endpoint })
    if (current.state === before.state) return
    // Whoever noticed that it is away: from now on it is asked often.
    wake.abort()
    onChange(current)
  }

  const askNow = async (): Promise<EngineState> => {
    const answer = await runtime.info()
    if (!answer.ok) endpoint = (await findEndpoint()) ?? endpoint
    seen(answer)
    return current
  }

  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await askNow()
      } catch (defect) {
        logger.error(`whoever waits for Docker did not hear of it: ${stackOf(defect)}`)
      }
      wake = new AbortController()
      const pauseMs = current.state === 'reachable' ? askEveryMs.reachable : askEveryMs.away
      await clock.sleep(pauseMs, AbortSignal.any([closing.signal, wake.signal]))
    }
  }

  return {
    current: () => current,
    seen,
    askNow,
    start: () => aside(logger, 'watching Docker', watch()),
    close: () => closing.abort(),
  }
}

function toState(
  answer: Result<EngineInfo | null, ContainerError>,
  before: EngineState,
  { now, endpoint }: { readonly now: number; readonly endpoint: string | null },
): EngineState {
  if (answer.ok)
    return { state: 'reachable', info: answer.value ?? (before.state === 'reachable' ? before.info : null) }
  const { type, message } = answer.error
  const state = awayStates[type]
  if (state === undefined) return before
  return { state, message, since: before.state === state ? before.since : now, endpoint }
}

/** Errors that say that no container can be started at all. */
const awayStates: Readonly<Partial<Record<ContainerErrorType, 'unreachable' | 'not_permitted' | 'too_old'>>> =
  {
    unreachable: 'unreachable',
    not_permitted: 'not_permitted',
    api_too_old: 'too_old',
  }
