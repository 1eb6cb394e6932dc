import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { clearSuspect } from '../integrity'

/*
 * A database that was put together anew takes the place of the damaged one, which is kept under another name. The
 * new one stands complete beside it before anything is moved, so a swap that is cut off anywhere is finished by the
 * next start.
 */

export const rebuiltFile = (file: string): string => `${file}.rebuilt`

/** Where the damaged database goes; the same name for every try of the same swap. */
export function damagedFile(file: string): string {
  const made = new Date(statSync(rebuiltFile(file)).mtimeMs).toISOString().slice(0, 19)
  return join(dirname(file), `${basename(file, '.db')}-damaged-${made.replaceAll(':', '-')}.db`)
}

/** Finishes the swap that is under way; nothing is done where there is none. The database must not be open. */
export function swapInRebuilt(file: string): void {
  const rebuilt = rebuiltFile(file)
  if (!existsSync(rebuilt)) return
  const aside = damagedFile(file)
  // Its log first: beside another database it would be taken for that one's.
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`)
  rmSync(`${file}-shm`, { force: true })
  if (existsSync(file)) renameSync(file, aside)
  clearSuspect(file)
  renameSync(rebuilt, file)
}
