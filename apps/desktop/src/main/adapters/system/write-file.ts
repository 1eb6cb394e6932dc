import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/**
 * Replaces a file in one step: readers see the old text or the new one, also after a crash.
 * The file is readable for this user only. Throws what the file system throws.
 *
 * `isShortLived`: it tells of this process alone, so the disk is not waited for; after a loss of power the old text, or
 * a part of the new one, may lie there.
 */
export function writeFileAtomically(file: string, text: string, { isShortLived = false } = {}): void {
  const partial = `${file}.${process.pid}.partial`
  rmSync(partial, { force: true })
  try {
    const handle = openSync(partial, 'wx', 0o600)
    try {
      writeSync(handle, text)
      if (!isShortLived) fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}
