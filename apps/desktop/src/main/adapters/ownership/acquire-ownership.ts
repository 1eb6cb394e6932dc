import Database from 'better-sqlite3'
import { closeSync, existsSync, openSync } from 'node:fs'
import { basename, join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import { type DatabaseFailure, toDatabaseFailure } from '../db/database-errors'
import {
  type OwnerKind,
  type OwnerRecord,
  readOwnerRecord,
  removeOwnerRecord,
  writeOwnerRecord,
} from './owner-record'

/** Long enough for two that start at the same moment to sort out which of them is first. */
const patienceMs = 150

export interface Ownership {
  readonly owner: OwnerRecord
  /** Frees the data folder for the next owner. The database and the socket must be closed by then. */
  release(): void
}

export interface OwnedError {
  readonly type: 'owned'
  readonly message: string
  /** null where the owner has not written down who it is yet. */
  readonly owner: OwnerRecord | null
}

export interface OwnershipOptions {
  readonly kind: OwnerKind
  readonly appVersion: string
  /** Epoch milliseconds. */
  readonly now: number
  /** How the person started this process; taken from its arguments where not given. */
  readonly command?: string
  readonly nativeBinding?: string | undefined
}

/**
 * Makes this process the one owner of a data folder, which must exist. The lock is a transaction on a small
 * SQLite file, so the system frees it when the process dies, however it dies.
 *
 * Nothing else in this process may open `engine.lock`: on POSIX systems closing any handle of a file drops
 * the locks that the process holds on it.
 */
export function acquireOwnership(
  dataFolder: string,
  options: OwnershipOptions,
): Result<Ownership, OwnedError | DatabaseFailure> {
  const file = join(dataFolder, 'engine.lock')
  let lock: Database.Database | null = null
  try {
    if (!existsSync(file)) createEmpty(file)
    lock = new Database(file, {
      timeout: patienceMs,
      ...(options.nativeBinding && { nativeBinding: options.nativeBinding }),
    })
    lock.exec('BEGIN EXCLUSIVE')
    const owner = describeOwner(options)
    writeOwnerRecord(dataFolder, owner)
    return ok({ owner, release: createRelease(dataFolder, lock) })
  } catch (error) {
    lock?.close()
    const failure = toDatabaseFailure(error, file)
    if (failure === null) throw error
    return err(failure.type === 'database_locked' ? owned(dataFolder) : failure)
  }
}

function createEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function describeOwner({ kind, appVersion, now, command }: OwnershipOptions): OwnerRecord {
  const [program = '', ...rest] = process.argv.slice(process.argv.length > 1 ? 1 : 0)
  return {
    pid: process.pid,
    kind,
    command: command ?? [basename(program), ...rest].join(' '),
    appVersion,
    startedAt: now,
  }
}

function createRelease(dataFolder: string, lock: Database.Database): () => void {
  return () => {
    if (!lock.open) return
    // Before the lock, since after it the record may be the next owner's.
    removeOwnerRecord(dataFolder)
    lock.close()
  }
}

function owned(dataFolder: string): OwnedError {
  const owner = readOwnerRecord(dataFolder)
  const who = owner === null ? 'another process' : `process ${owner.pid} (${owner.command})`
  return { type: 'owned', message: `${dataFolder} is in use by ${who}`, owner }
}
