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

const kept = 5
const backupName = /^\d{4}-\d{2}-\d{2}T[\d-]+Z-format-(\d+)\.db$/

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
  const file = join(folder, `${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}-format-${format}.db`)
  copyDatabase(db, file)
  for (const old of listBackups(folder).slice(kept)) rmSync(old, { force: true })
  return file
}

/** The newest backup beside the database `file` whose format is at most `format`; null: there is none. */
export function newestBackup(file: string, format = Number.MAX_SAFE_INTEGER): string | null {
  const folder = join(dirname(file), 'backups')
  if (!existsSync(folder)) return null
  const isReadable = (path: string): boolean => Number(backupName.exec(basename(path))?.[1]) <= format
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

function flush(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
