import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { err, ok, type Result } from '@shared/result'

export interface DataFolderError {
  readonly type: 'not_writable'
  /** The reason alone, without the folder. */
  readonly message: string
}

/**
 * Makes the folder, readable for this user only. One that is there keeps its mode: it may be somebody's
 * ALFRED_HOME with more in it. What Alfred puts inside is closed to others file by file.
 */
export function ensureDataFolder(folder: string): Result<string, DataFolderError> {
  try {
    makeFolders(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
    return ok(folder)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return err({
      type: 'not_writable',
      message: reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? error.message,
    })
  }
}

/**
 * Folder by folder: Node's own way tries for ever where a file system has the parent and lets nothing be made in it
 * (/proc, what is mounted on demand).
 */
function makeFolders(folder: string): void {
  const parent = dirname(folder)
  if (parent !== folder && !existsSync(parent)) makeFolders(parent)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    if (!isThere) throw error
  }
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file is in the way',
  ENOTDIR: 'a file is in the way',
  EACCES: 'your user may not write there',
  EPERM: 'your user may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'no folder can be made there',
}
