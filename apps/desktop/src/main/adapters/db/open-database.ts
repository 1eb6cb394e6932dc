import Database from 'better-sqlite3'
import { closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import { backUpBeforeMigrating } from './backups'
import { type OpenDatabaseError, toDatabaseFailure } from './database-errors'
import { clearSuspect, findDamage, isToBeChecked } from './integrity'
import { migrate, readFormat } from './migrate'
import { migrations as allMigrations, type Migration } from './migrations'
import { probeDatabase } from './probe-database'
import { swapInRebuilt } from './restore/swap-in'

export interface OpenDatabaseOptions {
  /** Recorded as the writer, so that an older app can name it. */
  readonly appVersion: string
  /** Epoch milliseconds; names the backup. */
  readonly now: number
  readonly nativeBinding?: string | undefined
  /** How long another process may keep the database locked. */
  readonly busyTimeoutMs?: number
  readonly migrations?: readonly Migration[]
}

export interface OpenedDatabase {
  readonly db: Database.Database
  /** The copy made before migrating; null when nothing was migrated or the database is new. */
  readonly backup: string | null
}

/**
 * Opens the database of a data folder, creating or migrating it. Who calls it owns the data (see ownership).
 * Errors: a newer app's data (untouched), locked by another process, damaged or lost, disk full, not writable.
 */
export function openDatabase(
  file: string,
  options: OpenDatabaseOptions,
): Result<OpenedDatabase, OpenDatabaseError> {
  const steps = options.migrations ?? allMigrations
  let db: Database.Database | null = null
  try {
    swapInRebuilt(file)
    const refused = refuseLost(file) ?? refuseNewer(file, steps, options)
    if (refused !== null) return err(refused)
    createPrivateFile(file)
    db = new Database(file, {
      timeout: options.busyTimeoutMs ?? 5000,
      ...(options.nativeBinding && { nativeBinding: options.nativeBinding }),
    })
    const damage = isToBeChecked(file) ? findDamage(db) : null
    if (damage !== null) {
      db.close()
      return err({ type: 'database_damaged', message: `${damage} (${file})` })
    }
    clearSuspect(file)
    configure(db)
    const backup = bringUpToDate(db, file, steps, options.now)
    recordWriter(db, options.appVersion)
    return ok({ db, backup })
  } catch (error) {
    db?.close()
    const failure = toDatabaseFailure(error, file)
    if (failure === null) throw error
    return err(failure)
  }
}

/** A data folder that was used holds more than its database: an empty one in its place would hide that it is gone. */
function refuseLost(file: string): OpenDatabaseError | null {
  // SQLite takes a file of a single byte for an empty one too.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 1) return null
  const folder = dirname(file)
  const isUsed = ['runs', 'backups'].some((name) => hasEntries(join(folder, name)))
  if (!isUsed) return null
  const state = existsSync(file) ? 'empty' : 'gone'
  return {
    type: 'database_damaged',
    message: `the database file is ${state}, its run folders are not (${file})`,
  }
}

const hasEntries = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0

function refuseNewer(
  file: string,
  steps: readonly Migration[],
  options: OpenDatabaseOptions,
): OpenDatabaseError | null {
  const appFormat = steps.at(-1)?.format ?? 0
  const found = probeDatabase(file, appFormat, options.nativeBinding)
  if (found !== null && found.format < 0)
    return { type: 'database_damaged', message: `the data has the format ${found.format} (${file})` }
  if (found === null || found.format <= appFormat) return null
  return {
    type: 'database_newer',
    message: `the data has format ${found.format}, this app reads up to ${appFormat}`,
    dataFormat: found.format,
    appFormat,
    writtenBy: found.writtenBy,
  }
}

function createPrivateFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return
  closeSync(openSync(file, 'wx', 0o600))
}

function configure(db: Database.Database): void {
  db.pragma('journal_mode = WAL')
  // A power cut may lose the last transactions, never damage the file; a crash of the app loses nothing.
  db.pragma('synchronous = NORMAL')
  db.pragma('foreign_keys = ON')
  // A burst of events must not leave a huge write-ahead log behind.
  db.pragma('journal_size_limit = 67108864')
}

function bringUpToDate(
  db: Database.Database,
  file: string,
  steps: readonly Migration[],
  now: number,
): string | null {
  const format = readFormat(db)
  if (format >= (steps.at(-1)?.format ?? 0)) return null
  const backup = format === 0 ? null : backUpBeforeMigrating(db, join(dirname(file), 'backups'), format, now)
  migrate(db, steps)
  // So that the header of the file tells the new format to an older app.
  db.pragma('wal_checkpoint(TRUNCATE)')
  return backup
}

function recordWriter(db: Database.Database, appVersion: string): void {
  db.prepare(
    `INSERT INTO meta (key, value) VALUES ('written_by', ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
  ).run(appVersion)
}
