import type { Clock } from '@main/ports/clock'

export interface SettableClock extends Clock {
  /** Moves time forward and ends the sleeps that are due. */
  readonly advance: (ms: number) => void
}

/** Time that stands still until a test moves it. */
export function createSettableClock(startAt = 0): SettableClock {
  let now = startAt
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) return resolve()
        const sleeper = {
          until: now + ms,
          wake: () => {
            sleepers.delete(sleeper)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake, { once: true })
      }),
    advance: (ms) => {
      now += ms
      for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake()
    },
  }
}
