import { createSystemClock } from '@main/adapters/system/system-clock'
import type { Clock } from '@main/ports/clock'

/**
 * A clock that goes so many times as fast as the others: an engine with it comes sooner to all that it waits for,
 * while containers and agents take the time that they take.
 */
export function createHurriedClock(times: number): Clock {
  const real = createSystemClock()
  const since = { now: real.now(), monotonic: real.monotonic() }
  return {
    now: () => Math.round(since.now + (real.now() - since.now) * times),
    monotonic: () => since.monotonic + (real.monotonic() - since.monotonic) * times,
    sleep: (ms, signal) => real.sleep(ms / times, signal),
  }
}
