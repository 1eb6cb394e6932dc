/** What works beside the calls; waited for before the database is closed. */
export interface Background {
  /** Aborts once the engine closes. */
  readonly closing: AbortSignal
  add(work: Promise<unknown>): void
  close(): void
  /** When all of it is over, well or not. */
  done(): Promise<unknown>
}

export function createBackground(): Background {
  const works = new Set<Promise<unknown>>()
  const closing = new AbortController()
  return {
    closing: closing.signal,
    add(work) {
      works.add(work)
    },
    close() {
      closing.abort()
    },
    done: () => Promise.allSettled(works),
  }
}
