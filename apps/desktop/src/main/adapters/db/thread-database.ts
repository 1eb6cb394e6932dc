import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
// As text, as the migrations are: beside a bundle lies no file of its own to start a thread from.
import program from './database-thread.cjs?raw'

/*
 * A database that a thread of its own works on: of a large one that somebody else wrote nobody knows how long a question
 * takes, and the engine's thread must not wait for it.
 */

/** What a question may be asked with, and what a row holds. */
export type SqlValue = string | number | null

export interface ThreadDatabase {
  /** Rows of a statement; none of one that only changes something. Rejects with a `SqlFailure`, or what ended the thread. */
  ask(sql: string, ...values: readonly SqlValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Also while it works; what was asked then is never answered. */
  end(): Promise<void>
}

const answerSchema = z.union([
  z.object({ number: z.number(), rows: z.array(z.record(z.string(), z.unknown())) }),
  z.object({ number: z.number(), failure: z.string(), code: z.string().nullable() }),
])

/** What SQLite says, or why it could not be asked at all. */
export class SqlFailure extends Error {
  constructor(
    message: string,
    /** `SQLITE_…`; null: of something else. */
    readonly code: string | null,
  ) {
    super(message)
  }
}

interface Question {
  readonly resolve: (rows: readonly Readonly<Record<string, unknown>>[]) => void
  readonly reject: (failure: Error) => void
}

/** `file` must be there. */
export function openOnThread(file: string, nativeBinding: string | undefined): ThreadDatabase {
  const options = { fileMustExist: true, ...(nativeBinding !== undefined && { nativeBinding }) }
  const module = createRequire(import.meta.url).resolve('better-sqlite3')
  const thread = new Worker(program, { eval: true, workerData: { module, file, options } })
  const open = new Map<number, Question>()
  let asked = 0
  let over: Error | null = null
  const giveUp = (failure: Error): void => {
    over ??= failure
    for (const { reject } of open.values()) reject(over)
    open.clear()
  }
  thread.on('message', (message: unknown) => {
    const answer = answerSchema.parse(message)
    const question = open.get(answer.number)
    open.delete(answer.number)
    if ('rows' in answer) question?.resolve(answer.rows)
    else question?.reject(new SqlFailure(answer.failure, answer.code))
  })
  thread.on('error', giveUp)
  thread.on('exit', () => giveUp(new Error('the thread of the database has ended')))
  return {
    ask(sql, ...values) {
      if (over !== null) return Promise.reject(over)
      const number = (asked += 1)
      return new Promise((resolve, reject) => {
        open.set(number, { resolve, reject })
        thread.postMessage({ number, sql, values })
      })
    },
    async end() {
      await thread.terminate()
    },
  }
}
