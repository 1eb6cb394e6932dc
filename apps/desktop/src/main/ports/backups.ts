import type { Result } from '@shared/result'

export interface BackupError {
  readonly type: 'database_damaged' | 'failed'
  readonly message: string
}

/** Copies of the whole database beside it, of which a few are kept. */
export interface Backups {
  /** When the newest daily one was made, epoch ms; null: there is none. */
  newestDaily(): number | null
  /** Checks the database and copies it, without holding up this process; a damaged one is not copied. */
  makeDaily(now: number, signal: AbortSignal): Promise<Result<string, BackupError>>
}
