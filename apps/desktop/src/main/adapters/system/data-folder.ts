import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { err, ok, type Result } from '@shared/result'

export interface DataFolderSystem {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

export interface DataFolderError {
  readonly type: 'not_writable'
  readonly message: string
}

/**
 * Where Alfred keeps its data, the same for the window and for `alfred`: ALFRED_HOME, else `alfred` in the
 * system's folder for application data.
 */
export function findDataFolder({ env, platform, home }: DataFolderSystem): string {
  const path = platform === 'win32' ? win32 : posix
  const named = env['ALFRED_HOME']
  if (named) return path.resolve(named)
  if (platform === 'win32') return win32.join(env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local'), 'alfred')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'alfred')
  const shared = env['XDG_DATA_HOME']
  // The XDG rules say that a relative path is to be ignored.
  return posix.join(shared && posix.isAbsolute(shared) ? shared : posix.join(home, '.local', 'share'), 'alfred')
}

/** Makes the folder, readable for this user only; one that was open to others is closed to them. */
export function ensureDataFolder(folder: string): Result<string, DataFolderError> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
    return ok(folder)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return err({ type: 'not_writable', message: `${folder} cannot be used as the data folder: ${error.message}` })
  }
}
