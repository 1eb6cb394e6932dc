import type { Clock } from '../../ports/clock'

/** Longest stretch that counts as one: a timer that comes later was held up. */
const stretchMs = 5_000

/**
 * Sleeps until the process was awake for `ms`: what passes while the computer sleeps, or while the process is
 * stopped, does not count, since nothing that is waited for worked meanwhile either.
 */
export async function sleepAwake(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  for (let left = ms; left > 0 && !signal.aborted; left -= stretchMs)
    await clock.sleep(Math.min(left, stretchMs), signal)
}
