import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** The data was written by a newer app; nothing of it was changed. Formats are migration numbers. */
export interface DatabaseNewerError {
  readonly type: 'database_newer'
  readonly message: string
  readonly dataFormat: number
  readonly appFormat: number
  /** Version of the app that last wrote here; null when it cannot be read. */
  readonly writtenBy: string | null
}

/** What a database can refuse with, in the words that the window explains. */
export interface DatabaseFailure {
  readonly type: 'database_locked' | 'database_damaged' | 'disk_full' | 'not_writable'
  readonly message: string
}

export type OpenDatabaseError = DatabaseNewerError | DatabaseFailure

/**
 * Translates what SQLite or the file system threw. null: it is none of the expected failures, so a defect.
 * `file` is asked for free space, since a full disk also shows as a failed read, write or open.
 */
export function toDatabaseFailure(error: unknown, file: string): DatabaseFailure | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const type = isForeignFormat(error) ? 'database_damaged' : failureType(error.code, file)
  return type === null ? null : { type, message: `${error.message} (${error.code}, ${file})` }
}

function failureType(code: string, file: string): DatabaseFailure['type'] | null {
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'database_locked'
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'database_damaged'
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return 'disk_full'
  if (/^SQLITE_(IOERR|CANTOPEN)/.test(code)) return hasNoSpace(file) ? 'disk_full' : 'not_writable'
  if (/^SQLITE_(READONLY|PERM|AUTH)/.test(code)) return 'not_writable'
  if (/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EISDIR|EIO)$/.test(code)) return 'not_writable'
  return null
}

/** What SQLite says of a header that no SQLite writes; it has no code of its own. */
const isForeignFormat = (error: Error): boolean => error.message === 'unsupported file format'

function hasNoSpace(file: string): boolean {
  try {
    return statfsSync(dirname(file)).bavail === 0
  } catch {
    return false
  }
}
