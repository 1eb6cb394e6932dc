import { constants } from 'node:fs'
import { lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Walking down in a folder that an agent can write to. Each folder on the way is held open, and a name is looked up in
 * the one that is held: no link can take the place of a folder between a look at it and the next step.
 */

/** The agent may have made any number of files. */
const mostNames = 100_000

/** Only Linux looks a name up in a folder that is held open; the folders of other systems are asked by their path. */
const canHold = process.platform === 'linux'

export interface HeldFolder {
  /** Where something in it is found while it is held; never a way through a link. */
  at(name: string): string
  names(): Promise<readonly string[]>
}

/** null where there is no folder, as with a link to one. */
export async function inFolder<T>(path: string, act: (folder: HeldFolder) => Promise<T>): Promise<T | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    () => null,
  )
  if (handle === null) return null
  const held = canHold ? `/proc/self/fd/${handle.fd}` : path
  try {
    return await act({ at: (name) => join(held, name), names: () => namesIn(held) })
  } finally {
    await handle.close()
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  try {
    for await (const { name } of await opendir(folder)) {
      if (names.length >= mostNames) break
      names.push(name)
    }
  } catch {
    // What could be read of it counts.
  }
  return names
}

/** Bytes of a plain file that has this name alone: a second one could be that of a file from elsewhere. */
export async function plainSize(path: string): Promise<number | null> {
  const stats = await lstat(path).catch(() => null)
  return stats?.isFile() === true && stats.nlink === 1 ? stats.size : null
}
