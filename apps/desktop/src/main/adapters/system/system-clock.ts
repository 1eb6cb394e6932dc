import type { Clock } from '@main/ports/clock'

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) {
          resolve()
          return
        }
        const end = (): void => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        signal?.addEventListener('abort', end, { once: true })
      }),
  }
}
