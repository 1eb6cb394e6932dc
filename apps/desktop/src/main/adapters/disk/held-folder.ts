import { constants } from 'node:fs'
import { lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Walking down in a folder that an agent can write to. Each folder on the way is held open, and a name is looked up in
 * the one that is held: no link can take the place of a folder between a look at it and the next step.
 */

/** The agent may have made any number of files. */
const mostNamesAtOnce = 100_000

/** Only Linux looks a name up in a folder that is held open; the folders of other systems are asked by their path. */
const canHold = process.platform === 'linux'

export interface HeldFolder {
  /** Tells it from every other file of the computer, wherever it is moved to. */
  readonly id: string
  /** Where something in it is found while it is held; never a way through a link. */
  at(name: string): string
  /** null where they cannot be read. */
  names(most?: number): Promise<readonly string[] | null>
}

export const fileId = ({ dev, ino }: { readonly dev: number; readonly ino: number }): string =>
  `${dev}:${ino}`

/** null where there is no folder, as with a link to one. */
export async function inFolder<T>(path: string, act: (folder: HeldFolder) => Promise<T>): Promise<T | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    () => null,
  )
  if (handle === null) return null
  const held = canHold ? `/proc/self/fd/${handle.fd}` : path
  try {
    const id = fileId(await handle.stat())
    return await act({
      id,
      at: (name) => join(held, name),
      names: (most = mostNamesAtOnce) => namesIn(held, most),
    })
  } finally {
    await handle.close()
  }
}

async function namesIn(folder: string, most: number): Promise<readonly string[] | null> {
  try {
    const names: string[] = []
    for await (const { name } of await opendir(folder, { bufferSize: 512 })) {
      if (names.length >= most) break
      names.push(name)
    }
    return names
  } catch {
    return null
  }
}

/** Bytes of a plain file that has this name alone: a second one could be that of a file from elsewhere. */
export async function plainSize(path: string): Promise<number | null> {
  const stats = await lstat(path).catch(() => null)
  return stats?.isFile() === true && stats.nlink === 1 ? stats.size : null
}
