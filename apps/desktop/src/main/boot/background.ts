import type { Logger } from '../ports/logger'

/** What works beside the calls; waited for before the database is closed. */
export interface Background {
  /** Aborts once the engine closes. */
  readonly closing: AbortSignal
  add(work: Promise<unknown>): void
  close(): void
  /** When all of it is over, well or not. */
  done(): Promise<unknown>
}

export function createBackground(logger: Pick<Logger, 'error'>): Background {
  const works = new Set<Promise<unknown>>()
  const closing = new AbortController()
  return {
    closing: closing.signal,
    add(work) {
      // What fails beside the calls must not end the process.
      works.add(
        work.catch((defect: unknown) => logger.error(`work in the background failed: ${String(defect)}`)),
      )
    },
    close() {
      closing.abort()
    },
    done: () => Promise.allSettled(works),
  }
}
