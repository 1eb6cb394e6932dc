import type { Clock } from '../ports/clock'
import type { Logger } from '../ports/logger'
import type { RunEventStore } from '../ports/stores'

/** Between two packs, for the window and for streams. */
const restMs = 20
const lookEveryMs = 5_000
/** So often in a row a stream that goes on packing events comes first; then they are unpacked beside it. */
const mostLooksGivenWay = 12
const afterFailureMs = 60_000

/**
 * Lays out what was packed in a burst, a pack at a time, once the burst is over: until then only the search lacks it.
 * Goes on until the signal aborts.
 */
export async function runEventUnpacker(
  parts: {
    readonly events: Pick<RunEventStore, 'latestPacked' | 'unpackSome'>
    readonly clock: Clock
    readonly logger: Logger
  },
  signal: AbortSignal,
): Promise<void> {
  const { events, clock, logger } = parts
  let seen = 0
  let givenWay = 0
  /** Returns how long to wait for the next step. */
  const step = (): number => {
    const newest = events.latestPacked()
    const isGrowing = newest !== seen
    seen = newest
    if (newest === 0) {
      givenWay = 0
      return lookEveryMs
    }
    if (isGrowing && givenWay < mostLooksGivenWay) {
      givenWay += 1
      return lookEveryMs
    }
    events.unpackSome()
    return restMs
  }
  while (!signal.aborted) {
    let waitMs = afterFailureMs
    try {
      waitMs = step()
    } catch (error) {
      logger.warn('events stay packed for now', { error: String(error) })
    }
    await clock.sleep(waitMs, signal)
  }
}
