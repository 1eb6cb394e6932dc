import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/**
 * Replaces a file in one step: readers see the old text or the new one, also after a crash.
 * The file is readable for this user only. Throws what the file system throws.
 */
export function writeFileAtomically(file: string, text: string): void {
  const partial = `${file}.${process.pid}.partial`
  rmSync(partial, { force: true })
  try {
    const handle = openSync(partial, 'wx', 0o600)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}
