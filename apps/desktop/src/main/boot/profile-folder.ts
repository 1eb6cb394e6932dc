import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDataFolder } from '../adapters/system/data-folder'

/**
 * Where the window keeps its profile: in the data folder. Where that cannot be used, a window without a profile of its
 * own would not even open to say so: then it gets one beside, the same one each time.
 */
export const profileFolder = (dataFolder: string): string =>
  ensureDataFolder(dataFolder).ok ? join(dataFolder, 'window') : temporaryFolder(dataFolder)

function temporaryFolder(dataFolder: string): string {
  const start = join(tmpdir(), 'alfred-window-')
  const folder = `${start}${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // Everybody may make something there: what another user has a hand in is left alone.
    if (!isOwn(folder)) return mkdtempSync(start)
  }
  return folder
}

function isOwn(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() !== true) return false
  const uid = process.getuid?.()
  return uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0)
}
