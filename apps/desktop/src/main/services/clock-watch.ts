import type { Clock } from '../ports/clock'
import type { Logger } from '../ports/logger'
import type { Store } from '../ports/stores'

interface Parts {
  readonly store: Pick<Store, 'runs' | 'outbox' | 'transaction'>
  readonly clock: Clock
  readonly logger: Logger
  /** The computer slept, or somebody set its clock: what runs and waits is looked at. */
  readonly onJump: () => void
}

export interface ClockWatch {
  /** Watches until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

const lookEveryMs = 5_000
/** Clocks that are corrected a little at a time stay below this. */
const jumpMs = 10_000

/**
 * Notices that the wall clock jumped. What waits does so until a time of that clock: when it is set back, the wait
 * would be longer by as much, so it moves along. A jump forward makes due what was waited for, as sleep does.
 */
export function createClockWatch({ store, clock, logger, onJump }: Parts): ClockWatch {
  const offset = (): number => clock.now() - clock.monotonic()

  const moveBack = (ms: number): void =>
    store.transaction(() => {
      for (const run of store.runs.listLive())
        if (run.state === 'queued' && run.nextAttemptAt !== null)
          store.runs.update(run.id, { nextAttemptAt: run.nextAttemptAt + ms })
      store.outbox.moveWaiting(ms)
    })

  const look = (jumped: number): void => {
    logger.info('the clock jumped', { ms: jumped })
    try {
      if (jumped < 0) moveBack(jumped)
    } catch (error) {
      logger.error('what waits could not be moved with the clock', { error: String(error) })
    }
    onJump()
  }

  return {
    async run(signal) {
      let before = offset()
      while (!signal.aborted) {
        await clock.sleep(lookEveryMs, signal)
        if (signal.aborted) return
        const jumped = Math.round(offset() - before)
        if (Math.abs(jumped) < jumpMs) continue
        before += jumped
        look(jumped)
      }
    },
  }
}
