import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { err, ok, type Result } from '@shared/result'
import type { OpenDatabaseError } from '../adapters/db/database-errors'
import { newestBackup } from '../adapters/db/backups'
import { createCheckpoints } from '../adapters/db/checkpoints'
import { createStore } from '../adapters/db/create-store'
import { guardDatabase } from '../adapters/db/guard-database'
import { markSuspect } from '../adapters/db/integrity'
import { openDatabase, type OpenedDatabase } from '../adapters/db/open-database'
import { createFileLogger } from '../adapters/log/file-logger'
import { openRotatingFile } from '../adapters/log/rotating-file'
import { acquireOwnership, type OwnedError, type Ownership } from '../adapters/ownership/acquire-ownership'
import { takeOwnership, type HandOverTimedOutError } from '../adapters/ownership/hand-over'
import { socketPath, systemSocketPlaces } from '../adapters/ownership/socket-path'
import { createSecrets } from '../adapters/secrets/create-secrets'
import { createSecretsFile } from '../adapters/secrets/secrets-file'
import { ensureDataFolder } from '../adapters/system/data-folder'
import { createSystemClock } from '../adapters/system/system-clock'
import { createSystemRandomness } from '../adapters/system/system-randomness'
import { createRedact, createSecretFinder, type Redact } from '../core/redact/redact'
import type { Clock } from '../ports/clock'
import type { Logger } from '../ports/logger'
import type { Randomness } from '../ports/randomness'
import type { StorageError } from '../ports/storage-failure'
import type { Secrets } from '../ports/secrets'
import type { Store } from '../ports/stores'
import type { EngineOptions } from './engine-options'

/** The data folder as this process owns it: lock, database, log. */
export interface OwnedData {
  readonly folder: string
  readonly ownership: Ownership
  readonly db: OpenedDatabase['db']
  readonly store: Store
  readonly clock: Clock
  readonly randomness: Randomness
  readonly logger: Logger
  readonly redact: Redact
  /** Whether a known secret is in a text. */
  readonly holdsSecret: (text: string) => boolean
  readonly secrets: Secrets
  /** Called for everything that the disk or the database did not let be done; one listener. */
  onStorageFailure(listener: (failure: StorageError) => void): void
  /** Closes database and log; the lock is released by itself, see `ownership`. */
  close(): void
}

const busyPatienceMs = 500
const logFile = { maxBytes: 10_000_000, kept: 3 } as const

/** Lock first, then the database: who does not own the data opens nothing. */
export async function openData(options: EngineOptions): Promise<Result<OwnedData, StartFailure>> {
  const folder = ensureDataFolder(options.dataFolder)
  if (!folder.ok) return err({ type: 'not_writable', message: folder.error.message })
  const databaseFile = join(folder.value, 'alfred.db')
  const clock = options.clock ?? createSystemClock()
  const ownership = await own(options, clock.now())
  if (!ownership.ok) return err(toStartFailure(ownership.error, databaseFile))
  const opened = openDatabase(databaseFile, {
    appVersion: options.version,
    now: clock.now(),
    nativeBinding: options.nativeBinding,
  })
  if (!opened.ok) {
    ownership.value.release()
    return err(toStartFailure(opened.error, databaseFile))
  }
  const randomness = createSystemRandomness()
  const secretsFile = join(folder.value, 'secrets.json')
  const secrets = createSecrets({
    env: process.env,
    keyring: options.keyring ?? null,
    file: createSecretsFile(secretsFile),
    // The file is made with the consent to it, see `Secrets.write`.
    mayUseFile: () => existsSync(secretsFile),
  })
  const redact = createRedact(() => secrets.knownValues())
  const log = openRotatingFile({ file: join(folder.value, 'logs', 'alfred.log'), ...logFile })
  const { db } = opened.value
  // Nobody else should write; whoever does must not hold up the window, and what waits for them tries again.
  db.pragma(`busy_timeout = ${busyPatienceMs}`)
  let onFailure = (_failure: StorageError): void => undefined
  guardDatabase(db, (failure) => {
    if (failure.type === 'database_damaged') markSuspect(databaseFile, failure.message)
    onFailure(failure)
  })
  const logger = createFileLogger({ file: log, clock, redact })
  const checkpoints = createCheckpoints(db, options.nativeBinding, (why) => {
    const error = why instanceof Error ? why.message : String(why)
    logger.warn('a thread for checkpoints cannot work here, so who stores much waits for the disk', { error })
  })
  const store = createStore(db, randomness, checkpoints)
  return ok({
    folder: folder.value,
    ownership: ownership.value,
    db,
    store: options.aroundPort?.('store', store) ?? store,
    clock,
    randomness,
    logger,
    redact,
    holdsSecret: createSecretFinder(() => secrets.knownValues()),
    secrets,
    onStorageFailure(listener) {
      onFailure = listener
    },
    close() {
      checkpoints.end()
      db.close()
      log.close()
    },
  })
}

/** A window asks a headless owner to hand over; a headless start does not take anything away from anybody. */
export function own(
  options: Pick<EngineOptions, 'kind' | 'version' | 'nativeBinding' | 'command' | 'dataFolder'>,
  now: number,
) {
  const ownershipOptions = {
    kind: options.kind,
    appVersion: options.version,
    now,
    nativeBinding: options.nativeBinding,
    ...(options.command === undefined ? {} : { command: options.command }),
  }
  if (options.kind === 'headless')
    return Promise.resolve(acquireOwnership(options.dataFolder, ownershipOptions))
  const place = {
    dataFolder: options.dataFolder,
    socketPath: socketPath(options.dataFolder, systemSocketPlaces()),
  }
  return takeOwnership(place, ownershipOptions)
}

export function toStartFailure(
  error: OpenDatabaseError | OwnedError | HandOverTimedOutError,
  databaseFile: string,
): StartFailure {
  switch (error.type) {
    case 'owned':
      return { type: 'owner_silent', pid: error.owner?.pid ?? null, command: error.owner?.command ?? null }
    case 'hand_over_timed_out':
      return { type: 'owner_silent', pid: error.pid, command: error.command }
    case 'database_newer':
      return {
        type: 'database_newer',
        dataFormat: error.dataFormat,
        appFormat: error.appFormat,
        writtenBy: error.writtenBy,
        backup: newestBackup(databaseFile, error.appFormat),
      }
    case 'database_damaged':
      return { type: error.type, message: error.message, backup: newestBackup(databaseFile) }
    case 'database_locked':
    case 'disk_full':
    case 'not_writable':
      return { type: error.type, message: error.message }
  }
}
