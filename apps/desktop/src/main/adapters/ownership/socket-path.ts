import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { posix } from 'node:path'
import { err, ok, type Result } from '@shared/result'

/** Longer paths of sockets are cut silently by the system (104 bytes on macOS, 108 on Linux). */
const longestPath = 100

export interface SocketPlaces {
  readonly platform: NodeJS.Platform
  /** XDG_RUNTIME_DIR, where there is one. */
  readonly runtimeFolder: string | undefined
  readonly temporaryFolder: string
  readonly userId: number
}

export function systemSocketPlaces(): SocketPlaces {
  return {
    platform: process.platform,
    runtimeFolder: process.env['XDG_RUNTIME_DIR'],
    temporaryFolder: tmpdir(),
    userId: process.getuid?.() ?? 0,
  }
}

/** Where the owner of a data folder listens: the same answer for the owner and for who looks for it. */
export function socketPath(dataFolder: string, places: SocketPlaces): string {
  const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 24)
  if (places.platform === 'win32') return `\\\\.\\pipe\\alfred-${hash}`
  const candidates = [
    posix.join(dataFolder, 'engine.sock'),
    ...(places.runtimeFolder ? [posix.join(places.runtimeFolder, `alfred-${hash}.sock`)] : []),
    posix.join(places.temporaryFolder, `alfred-${places.userId}`, `${hash}.sock`),
    posix.join('/tmp', `alfred-${places.userId}`, `${hash}.sock`),
  ]
  return (
    candidates.find((path) => Buffer.byteLength(path) <= longestPath) ??
    candidates[candidates.length - 1] ??
    ''
  )
}

/**
 * Makes the folder of a socket that does not lie in the data folder. In a folder for everybody another user
 * could have made it first, so it is only used if it is this user's, no link, and closed to others.
 */
export function ensureSocketFolder(
  path: string,
  dataFolder: string,
  userId: number,
): Result<void, { readonly type: 'not_writable'; readonly message: string }> {
  const folder = posix.dirname(path)
  if (folder === dataFolder || posix.basename(folder) !== `alfred-${userId}`) return ok(undefined)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    if (found.isDirectory() && found.uid === userId && (found.mode & 0o077) === 0) return ok(undefined)
    return err({ type: 'not_writable', message: `${folder} is not a private folder of this user` })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return err({ type: 'not_writable', message: `${folder} cannot be made: ${error.message}` })
  }
}
