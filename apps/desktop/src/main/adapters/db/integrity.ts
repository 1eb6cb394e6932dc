import type { Database } from 'better-sqlite3'
import { rmSync, statSync, writeFileSync } from 'node:fs'

/** Takes about 5 ms for each megabyte, so only what takes no time that a person notices is checked at every start. */
const checkedAtStartBytes = 16_000_000

/** What a check of the whole database found; null: it is whole. */
export function findDamage(db: Database): string | null {
  const rows = db.pragma('integrity_check(10)') as readonly { readonly integrity_check: string }[]
  const found = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
  if (found.length === 0) return isCutOff(db) ? 'the last page of the file is not whole' : null
  return found
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .join('; ')
    .slice(0, 500)
}

/** SQLite reads zeros where the last page is missing, and no check of its own sees zeros in a text. */
function isCutOff(db: Database): boolean {
  // A page that was being written when the power went is whole in the log.
  if (sizeOf(`${db.name}-wal`) > 0) return false
  return sizeOf(db.name) % (db.pragma('page_size', { simple: true }) as number) !== 0
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Whether the database must be checked before anybody uses it: it is small, or damage was met while it was used. */
export function isToBeChecked(file: string): boolean {
  return isSuspect(file) || sizeOf(file) <= checkedAtStartBytes
}

/*
 * Damage that is met while the app works is written down beside the database, so that the next start checks before
 * it opens, however large the database is.
 */

const suspectFile = (file: string): string => `${file}.suspect`

export const isSuspect = (file: string): boolean =>
  statSync(suspectFile(file), { throwIfNoEntry: false }) !== undefined

export function markSuspect(file: string, message: string): void {
  try {
    writeFileSync(suspectFile(file), `${message}\n`, { mode: 0o600 })
  } catch {
    // A disk that is full as well: the damage is met again.
  }
}

export const clearSuspect = (file: string): void => rmSync(suspectFile(file), { force: true })
