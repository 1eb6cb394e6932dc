import { stackOf } from '@shared/defect'
import type { Logger } from '../ports/logger'

/** What works beside the calls; waited for before the database is closed. */
export interface Background {
  /** Aborts once the engine closes. */
  readonly closing: AbortSignal
  add(work: Promise<unknown>): void
  /** The same work for a caller who may leave before it is over, and who alone hears of its failure. */
  keep<T>(work: Promise<T>): Promise<T>
  close(): void
  /** When all of it is over, well or not; what is added meanwhile too. */
  done(): Promise<void>
}

export function createBackground(logger: Pick<Logger, 'error'>): Background {
  const works = new Set<Promise<unknown>>()
  const closing = new AbortController()

  const waitFor = (work: Promise<unknown>, onDefect: (defect: unknown) => void): void => {
    const ending = work.catch(onDefect).finally(() => works.delete(ending))
    works.add(ending)
  }

  return {
    closing: closing.signal,
    add(work) {
      // What fails beside the calls must not end the process.
      waitFor(work, (defect) => logger.error(`work in the background failed: ${stackOf(defect)}`))
    },
    keep(work) {
      waitFor(work, () => undefined)
      return work
    },
    close() {
      closing.abort()
    },
    async done() {
      while (works.size > 0) await Promise.all(works)
    },
  }
}
