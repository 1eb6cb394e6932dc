import type { Database } from 'better-sqlite3'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
// As text, as the migrations are: beside a bundle lies no file of its own to start a thread from.
import program from './checkpoint-thread.cjs?raw'

/*
 * What is stored goes into a log first and from there into the database file. By itself SQLite does the second at every
 * thousandth page, in the midst of whoever writes, who waits for the disk then. While much is stored, a thread of its
 * own does it. A crash changes nothing: the log is read again at the next start.
 */

export interface Checkpoints {
  /** So many bytes were stored. Never throws. */
  written(bytes: number): void
  /** Before the database is closed. */
  end(): void
}

export interface CheckpointTimes {
  /** Bytes from which on it is worth it. */
  readonly everyBytes: number
  /** Without anything stored, after which the thread ends. */
  readonly idleMs: number
}

const defaultTimes: CheckpointTimes = { everyBytes: 8_000_000, idleMs: 3_000 }

/** SQLite's own. */
const pagesAlone = 1_000
/** From here on the writer helps: a thread that is always a little behind would let the log grow for ever. */
const pagesBesideThread = 16_000

/**
 * `nativeBinding` must be the one of this database: a second copy of SQLite would not see the locks of the first.
 * `onLost`: the thread cannot work here, so SQLite does it by itself, in the midst of whoever writes.
 */
export function createCheckpoints(
  db: Database,
  nativeBinding: string | undefined,
  onLost: (why: unknown) => void,
  { everyBytes, idleMs }: CheckpointTimes = defaultTimes,
): Checkpoints {
  let thread: Worker | null = null
  let isAtWork = false
  let idle: NodeJS.Timeout | undefined
  let unmoved = 0
  /** Ended, or there is no such thread here: then SQLite does it as ever. */
  let isOver = false

  const ask = (): void => {
    clearTimeout(idle)
    unmoved = 0
    isAtWork = true
    thread ??= start()
    thread.postMessage('checkpoint')
  }

  const start = (): Worker => {
    const options = { fileMustExist: true, ...(nativeBinding !== undefined && { nativeBinding }) }
    const module = createRequire(import.meta.url).resolve('better-sqlite3')
    const started = new Worker(program, { eval: true, workerData: { module, file: db.name, options } })
    started.unref()
    started.on('message', settle)
    started.on('error', (why) => {
      isOver = true
      stop()
      onLost(why)
    })
    db.pragma(`wal_autocheckpoint = ${pagesBesideThread}`)
    return started
  }

  const settle = (): void => {
    isAtWork = false
    if (thread === null) return
    if (unmoved >= everyBytes) return ask()
    idle = setTimeout(() => (unmoved > 0 ? ask() : stop()), idleMs)
    idle.unref()
  }

  const stop = (): void => {
    clearTimeout(idle)
    void thread?.terminate()
    thread = null
    if (db.open) db.pragma(`wal_autocheckpoint = ${pagesAlone}`)
  }

  return {
    written(bytes) {
      unmoved += bytes
      if (!isOver && !isAtWork && unmoved >= everyBytes) ask()
    },
    end() {
      isOver = true
      stop()
    },
  }
}
