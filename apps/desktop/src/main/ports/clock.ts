/** Time and waiting, so that services can be tested without either. */
export interface Clock {
  /** Epoch milliseconds of the wall clock. */
  now(): number
  /** Monotonic milliseconds, for deadlines inside one process. */
  monotonic(): number
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
