import type { Database } from 'better-sqlite3'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Of each kind: those made before a migration are for going back to an older app, the daily ones for damage. */
const kept = 5
const backupName = /^(\d{4}-\d{2}-\d{2}T[\d-]+Z)-format-(\d+)(-daily)?\.db$/

/** Copies the whole database to `file`, readable for this user only. `file` appears complete or not at all. */
export function copyDatabase(db: Database, file: string): void {
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  // SQLite fills an empty file that is there, and keeps its mode.
  closeSync(openSync(partial, 'wx', 0o600))
  try {
    db.prepare('VACUUM INTO ?').run(partial)
    flush(partial)
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** Copies the database into `folder` before its format changes, and keeps the newest few. Returns the file. */
export function backUpBeforeMigrating(db: Database, folder: string, format: number, now: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${stamp(now)}-format-${format}.db`)
  copyDatabase(db, file)
  removeOld(folder, (name) => !isDaily(name))
  return file
}

/** Where the copy of a day goes, see DailyBackups; the folder is made. */
export function dailyBackupFile(folder: string, format: number, now: number): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, `${stamp(now)}-format-${format}-daily.db`)
}

export const removeOldDailyBackups = (folder: string): void => removeOld(folder, isDaily)

/** When the backup was made, by its name; epoch ms. */
export function backupTime(file: string): number {
  const made = backupName.exec(basename(file))?.[1] ?? ''
  return Date.parse(made.replace(/T(\d\d)-(\d\d)-(\d\d)-/, 'T$1:$2:$3.'))
}

/** The newest backup beside the database `file` whose format is at most `format`; null: there is none. */
export function newestBackup(file: string, format = Number.MAX_SAFE_INTEGER): string | null {
  const folder = join(dirname(file), 'backups')
  if (!existsSync(folder)) return null
  const isReadable = (path: string): boolean => Number(backupName.exec(basename(path))?.[2]) <= format
  return listBackups(folder).find(isReadable) ?? null
}

/** The backups in `folder`, newest first. */
export function listBackups(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => backupName.test(name))
    .toSorted()
    .toReversed()
    .map((name) => join(folder, name))
}

const stamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-')
const isDaily = (name: string): boolean => backupName.exec(name)?.[3] !== undefined

function removeOld(folder: string, isOfKind: (name: string) => boolean): void {
  const ofKind = listBackups(folder).filter((file) => isOfKind(basename(file)))
  for (const old of ofKind.slice(kept)) rmSync(old, { force: true })
}

function flush(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
