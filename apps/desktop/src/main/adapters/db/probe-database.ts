import Database from 'better-sqlite3'
import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** What can be learned about a database file without changing it. */
export interface ProbedDatabase {
  readonly format: number
  readonly writtenBy: string | null
}

const magic = 'SQLite format 3\0'
const formatAt = 60

/**
 * Reads the data format from the file's header, and opens it, read-only, only where that does not settle it:
 * when steps may still lie in the write-ahead log, or when it is newer and its writer is to be named.
 * null: no file, or an empty one. Throws what SQLite throws for a file that is none of its own.
 */
export function probeDatabase(
  file: string,
  appFormat: number,
  nativeBinding: string | undefined,
): ProbedDatabase | null {
  if (sizeOf(file) === 0) return null
  const format = readHeaderFormat(file)
  if (format !== null && format <= appFormat && sizeOf(`${file}-wal`) === 0)
    return { format, writtenBy: null }
  const db = new Database(file, {
    readonly: true,
    fileMustExist: true,
    ...(nativeBinding && { nativeBinding }),
  })
  try {
    return { format: db.pragma('user_version', { simple: true }) as number, writtenBy: readWriter(db) }
  } finally {
    db.close()
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function readHeaderFormat(file: string): number | null {
  const header = Buffer.alloc(100)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, header, 0, header.length, 0)
  } finally {
    closeSync(handle)
  }
  return header.toString('latin1', 0, magic.length) === magic ? header.readUInt32BE(formatAt) : null
}

function readWriter(db: Database.Database): string | null {
  try {
    const row = db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'written_by'").get()
    return row?.value ?? null
  } catch {
    return null
  }
}
