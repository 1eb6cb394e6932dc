import type { Clock } from '@main/ports/clock'

export interface SettableClock extends Clock {
  /** Moves time forward and ends the sleeps that are due. */
  readonly advance: (ms: number) => void
  /** The wall clock alone is another one: the computer slept (forward), or somebody set it (either way). */
  readonly jump: (ms: number) => void
}

/** Time that stands still until a test moves it. */
export function createSettableClock(startAt = 0): SettableClock {
  let now = startAt
  let jumped = 0
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  return {
    now: () => now + jumped,
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
    jump: (ms) => {
      jumped += ms
    },
    advance: (ms) => {
      now += ms
      for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake()
    },
  }
}
