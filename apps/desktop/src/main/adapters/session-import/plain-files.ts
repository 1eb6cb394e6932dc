import { constants } from 'node:fs'
import { lstat, open, opendir, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Reading in a folder that others write to: no link is followed, nothing is waited for, walks are bounded.
 */

/** In one look; beyond this it is told that there may be more. */
const maxNames = 50_000
/** When one session alone is looked for, of which only names are read. */
const maxNamesForOne = 2_000_000
/** Read in such steps, so that other work gets its turn. */
const namesAtOnce = 1_000

/** A file that fits a layout, by its path below the place. */
export interface FittingFile {
  /** With `/` between the parts. */
  readonly path: string
  readonly id: string
}

/** Files whose path fits the parts, one pattern each; the group `id` is the session's, with `only` that one. */
export async function fittingFiles(
  place: string,
  parts: readonly RegExp[],
  only: string | null,
): Promise<{ readonly files: readonly FittingFile[]; readonly isCut: boolean }> {
  const looks = { left: only === null ? maxNames : maxNamesForOne, only }
  const files: FittingFile[] = []
  await walk(place, '', null, parts, looks, files)
  return { files, isCut: looks.left <= 0 }
}

async function walk(
  folder: string,
  path: string,
  id: string | null,
  [part, ...rest]: readonly RegExp[],
  looks: { left: number; readonly only: string | null },
  found: FittingFile[],
): Promise<void> {
  if (part === undefined) return
  const entries = await opendir(folder, { bufferSize: namesAtOnce }).catch(() => [])
  for await (const entry of entries) {
    if ((looks.left -= 1) <= 0) return
    const match = part.exec(entry.name)
    if (match === null) continue
    const next = path === '' ? entry.name : `${path}/${entry.name}`
    const known = match.groups?.['id'] ?? id
    if (looks.only !== null && known !== null && known !== looks.only) continue
    if (rest.length > 0 && entry.isDirectory()) {
      await walk(join(folder, entry.name), next, known, rest, looks, found)
    } else if (rest.length === 0 && entry.isFile() && known !== null) {
      found.push({ path: next, id: known })
    }
  }
}

/** The folder of a place below the picked one, when every part of it is a folder and no link. */
export async function plainFolder(picked: string, place: string): Promise<string | null> {
  let folder = picked
  for (const part of place === '' ? [] : place.split('/')) {
    folder = join(folder, part)
    const stats = await lstat(folder).catch(() => null)
    if (stats?.isDirectory() !== true) return null
  }
  return folder
}

export interface PlainFile {
  readonly handle: FileHandle
  readonly bytes: number
  readonly savedAt: number
}

/**
 * An opened plain file, which the caller closes; null when it is none, has a second name (which could be that of a file
 * from elsewhere), or cannot be read.
 */
export async function openPlain(path: string): Promise<PlainFile | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  )
  if (handle === null) return null
  const stats = await handle.stat()
  if (stats.isFile() && stats.nlink === 1)
    return { handle, bytes: stats.size, savedAt: Math.round(stats.mtimeMs) }
  await handle.close()
  return null
}
