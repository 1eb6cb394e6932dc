/*
 * The disk or the database does not take or give what it should. None of it is anybody's defect: it passes (a full
 * disk, a lock) or a person must do something (damage), and until then nothing may be decided.
 */

export type StorageFailureType = 'disk_full' | 'database_locked' | 'database_damaged' | 'not_writable'

/** Thrown by the store instead of what SQLite throws; `message` is SQLite's, `code` its code. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly type: StorageFailureType
  readonly code: string

  constructor(type: StorageFailureType, message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.type = type
    this.code = code
  }
}

/** Of what the store or the file system threw; null: it is something else. */
export function storageFailureOf(error: unknown): StorageFailureType | null {
  if (error instanceof StorageError) return error.type
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : null
}

/** For results that say in words that the disk is full: whoever waits for room waits for this one too. */
export const diskFull = (message: string): StorageError => new StorageError('disk_full', message, 'ENOSPC')

/** What it means to somebody who wanted something done, in plain words. */
export function storageWords(type: StorageFailureType): string {
  switch (type) {
    case 'disk_full':
      return 'The disk is full. Nothing was changed; free some space, then try again.'
    case 'database_locked':
      return 'Another program locks the database. Nothing was changed; close it, then try again.'
    case 'database_damaged':
      return 'The database is damaged. Quit Alfred and start it again: it offers to restore it.'
    case 'not_writable':
      return 'The data folder cannot be written. Nothing was changed.'
  }
}
