import type { Backups } from '../../ports/backups'
import type { Clock } from '../../ports/clock'
import type { Logger } from '../../ports/logger'
import { StorageError } from '../../ports/storage-failure'
import type { StorageWatch } from './storage-watch'

/*
 * A copy of the database once a day, for when it is damaged; making it also finds damage that nobody met yet.
 */

interface Parts {
  readonly backups: Backups
  readonly clock: Clock
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly storage: Pick<StorageWatch, 'hasRoom' | 'freeBytes' | 'met'>
  readonly reserveBytes: number
  readonly databaseBytes: () => number
}

/** The start of the app has enough to do; and nothing of a first minute is worth a copy. */
const firstAfterMs = 60_000
const lookEveryMs = 10 * 60_000
const dayMs = 24 * 3_600_000

/** Until the signal aborts. */
export async function runDailyBackups(parts: Parts, signal: AbortSignal): Promise<void> {
  const { clock } = parts
  await clock.sleep(firstAfterMs, signal)
  while (!signal.aborted) {
    const newest = parts.backups.newestDaily()
    const isDue = newest === null || Math.abs(clock.now() - newest) >= dayMs
    if (isDue && hasRoomFor(parts)) await makeOne(parts, signal)
    await clock.sleep(lookEveryMs, signal)
  }
}

function hasRoomFor({ storage, reserveBytes, databaseBytes }: Parts): boolean {
  const free = storage.freeBytes()
  return storage.hasRoom() && (free === null || free >= reserveBytes + 2 * databaseBytes())
}

async function makeOne({ backups, clock, logger, storage }: Parts, signal: AbortSignal): Promise<void> {
  const made = await backups.makeDaily(clock.now(), signal)
  if (made.ok) return logger.info('the database was checked and copied', { file: made.value })
  if (signal.aborted) return
  if (made.error.type === 'failed')
    return logger.warn(`the daily copy of the database failed: ${made.error.message}`)
  logger.error(`the database is damaged: ${made.error.message}`)
  storage.met(new StorageError('database_damaged', made.error.message, 'SQLITE_CORRUPT'))
}
