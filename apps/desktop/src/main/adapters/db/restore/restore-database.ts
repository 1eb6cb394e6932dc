import Database from 'better-sqlite3'
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RestoreReport } from '@shared/contract/restore'
import { err, ok, type Result } from '@shared/result'
import type { RunRecord } from '@main/core/restore/run-record'
import { backupTime, listBackups } from '../backups'
import { type DatabaseFailure, toDatabaseFailure } from '../database-errors'
import { findDamage } from '../integrity'
import { migrate, readFormat } from '../migrate'
import { migrations } from '../migrations'
import { fillInRun } from './fill-in-run'
import { takeBackUsed } from './put-dropped'
import { putTalk, settleWaiting } from './put-talk'
import { damagedFile, rebuiltFile, swapInRebuilt } from './swap-in'

export interface RestoreRequest {
  /** The damaged database; its folder holds `backups/`. */
  readonly file: string
  readonly records: readonly RunRecord[]
  readonly nativeBinding?: string | undefined
  /** What else is to be put right once all runs are there, in the same transaction; returns issues that were added. */
  readonly complete: (db: Database.Database) => number
}

/**
 * Puts a database together from the newest whole backup and the run records, and swaps it in; the damaged file is
 * kept beside it. Errors leave everything as it was. Whoever calls it owns the data, and has no database open.
 */
export function restoreDatabase(request: RestoreRequest): Result<RestoreReport, DatabaseFailure> {
  const { file } = request
  const partial = `${file}.rebuilt.partial`
  try {
    // One of an earlier restore that was cut off is finished first.
    swapInRebuilt(file)
    removeDatabase(partial)
    const backup = copyNewestWhole(request, partial)
    const report = fillIn(request, partial, backup)
    flush(partial)
    renameSync(partial, rebuiltFile(file))
    const damaged = existsSync(file) ? damagedFile(file) : null
    swapInRebuilt(file)
    return ok({ ...report, backup, damagedFile: damaged })
  } catch (error) {
    removeDatabase(partial)
    const failure = toDatabaseFailure(error, file)
    if (failure === null) throw error
    return err(failure)
  }
}

/** null: there is none that is whole and not of a newer app. */
function copyNewestWhole({ file, nativeBinding }: RestoreRequest, partial: string): RestoreReport['backup'] {
  const appFormat = migrations.at(-1)?.format ?? 0
  const folder = join(dirname(file), 'backups')
  for (const backup of existsSync(folder) ? listBackups(folder) : []) {
    if (!isWhole(backup, appFormat, nativeBinding)) continue
    copyFileSync(backup, partial)
    return { file: backup, at: backupTime(backup) }
  }
  closeSync(openSync(partial, 'wx', 0o600))
  return null
}

function isWhole(file: string, appFormat: number, nativeBinding: string | undefined): boolean {
  let db: Database.Database | null = null
  try {
    db = open(file, nativeBinding, true)
    return readFormat(db) > 0 && readFormat(db) <= appFormat && findDamage(db) === null
  } catch {
    return false
  } finally {
    db?.close()
  }
}

type Filled = Omit<RestoreReport, 'backup' | 'damagedFile'>

function fillIn(request: RestoreRequest, partial: string, backup: RestoreReport['backup']): Filled {
  const { records, nativeBinding } = request
  const db = open(partial, nativeBinding, false)
  try {
    // One file, complete when it is closed.
    db.pragma('journal_mode = DELETE')
    migrate(db, migrations)
    db.pragma('foreign_keys = ON')
    const filled = db
      .transaction(() => {
        keepInstallId(db, records)
        const runs = fillInAll(db, records)
        takeBackUsed(db)
        if (backup !== null) dropOldPosts(db, records, backup.at)
        return { ...runs, issuesAdded: request.complete(db) }
      })
      .immediate()
    const damage = findDamage(db)
    if (damage !== null) throw new Error(`the restored database is damaged: ${damage}`)
    return filled
  } finally {
    db.close()
  }
}

function fillInAll(db: Database.Database, records: readonly RunRecord[]): Omit<Filled, 'issuesAdded'> {
  const filled = { runsAdded: 0, runsUpdated: 0, sessions: 0, mailboxesAdded: 0 }
  const refused: { folder: string; reason: string }[] = []
  const refuse = ({ run }: RunRecord, reason: string) => void refused.push({ folder: run.uid, reason })
  const taken: RunRecord[] = []
  for (const record of records) {
    const done = byItself(db, () => fillInRun(db, record))
    if (done.type === 'refused') {
      refuse(record, done.reason)
      continue
    }
    taken.push(record)
    if (done.type === 'added') filled.runsAdded += 1
    if (done.type === 'updated') filled.runsUpdated += 1
    if (done.isNewMailbox) filled.mailboxesAdded += 1
    filled.sessions += done.sessions
    if (done.type !== 'known') noteRestore(db, record)
  }
  for (const record of taken) {
    const lost = byItself(db, () => putTalk(db, record))
    if (lost !== undefined) refuse(record, `what was said in this turn of a chat: ${lost.reason}`)
  }
  settleWaiting(db)
  const runsGoingOn =
    db.prepare<[], number>("SELECT count(*) FROM runs WHERE state <> 'ended'").pluck().get() ?? 0
  return { ...filled, runsGoingOn, refused }
}

/** A record that breaks a rule of the database must not keep the others from being read. */
function byItself<T>(db: Database.Database, put: () => T): T | { type: 'refused'; reason: string } {
  try {
    return db.transaction(put)()
  } catch (error) {
    const isRefusal =
      error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')
    if (!isRefusal) throw error
    return { type: 'refused', reason: error.message }
  }
}

/** A run that goes on is read from its stream files again; of one that ended, the log is what is left. */
function noteRestore(db: Database.Database, { run }: RunRecord): void {
  const text =
    'This run was read back from its folder when the database was restored. What it printed is in the raw log.'
  db.prepare(
    `INSERT INTO run_events (run_id, seq, at, kind, payload)
     SELECT id, 1 + max(coalesce((SELECT max(seq) FROM run_events WHERE run_id = runs.id), 0),
       coalesce((SELECT max(last_seq) FROM packed_events WHERE run_id = runs.id), 0)), ?, 'notice', ?
     FROM runs WHERE uid = ? AND state = 'ended'`,
  ).run(run.endedAt ?? run.createdAt, JSON.stringify({ text }), run.uid)
}

/** Containers carry it, and so do the marks of comments: without it neither would be known as ours. */
function keepInstallId(db: Database.Database, records: readonly RunRecord[]): void {
  const installId = records.findLast((record) => record.installId !== undefined)?.installId
  if (installId === undefined) return
  db.prepare("INSERT INTO meta (key, value) VALUES ('install_id', ?) ON CONFLICT (key) DO NOTHING").run(
    installId,
  )
}

/** What waited to be posted when the backup was made was posted since, or is out of date by what came after it. */
function dropOldPosts(db: Database.Database, records: readonly RunRecord[], backupAt: number): void {
  const drop = db.prepare(
    `UPDATE outbox SET state = 'dropped', last_error = 'The database was restored after this was written.'
     WHERE state IN ('waiting', 'sending') AND mailbox_id = (SELECT mailbox_id FROM runs WHERE uid = ?)`,
  )
  for (const { run, writtenAt } of records) if (writtenAt > backupAt) drop.run(run.uid)
}

function open(file: string, nativeBinding: string | undefined, readonly: boolean): Database.Database {
  return new Database(file, { readonly, fileMustExist: true, ...(nativeBinding && { nativeBinding }) })
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}

function flush(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
