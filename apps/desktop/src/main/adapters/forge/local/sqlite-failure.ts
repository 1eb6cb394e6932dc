import type { TrackerError } from '@shared/contract/tracker'

/** A full disk or a locked database as an error that may pass; everything else is a defect and thrown on. */
export function answerSqliteFailure(error: unknown): TrackerError {
  if (
    error instanceof Error &&
    'code' in error &&
    /^(?:SQLITE_(?:FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN)|ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO)/.test(
      String(error.code),
    )
  ) {
    return { type: 'storage_failed', message: `The tracker could not write: ${error.message}.` }
  }
  throw error
}
