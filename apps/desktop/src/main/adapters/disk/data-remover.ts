import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, realpathSync, renameSync } from 'node:fs'
import { chmod, opendir, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { DataRemover } from '@main/ports/data-remover'

/** Where folders of mailboxes, of login probes and of host runs lie; what was set aside stays in its parent, where moving needs no right over it. */
const parents = [
  '.agent-sessions',
  'workspaces',
  'repositories',
  'login-probes',
  join('host-runner', 'runs'),
  join('host-runner', 'homes'),
]
const prefix = '.removed-'

export function createDataRemover(dataFolder: string): DataRemover {
  return {
    exists,
    holdsAnything: (path) => {
      try {
        return readdirSync(path).length > 0
      } catch {
        return exists(path)
      }
    },
    setAside(path) {
      if (!exists(path)) return false
      requireInside(dataFolder, path)
      renameSync(path, join(dirname(path), `${prefix}${randomUUID()}`))
      return true
    },
    async sweep(signal) {
      const failures: { path: string; message: string }[] = []
      for (const parent of parents) {
        const folder = join(dataFolder, parent)
        // A parent that is a link leads elsewhere: nothing was set aside there.
        if (!isFolder(folder)) continue
        for (const name of await readdir(folder).catch(() => [])) {
          if (signal?.aborted === true) return failures
          if (!name.startsWith(prefix)) continue
          const path = join(folder, name)
          const message = await remove(path)
          if (message !== null) failures.push({ path, message })
        }
      }
      return failures
    },
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** By name and by what the names lead to. */
function requireInside(dataFolder: string, path: string): void {
  const isBelow = (inner: string, outer: string): boolean => inner.startsWith(outer + sep)
  const outer = resolve(dataFolder)
  if (isBelow(resolve(path), outer) && isBelow(realpathSync(dirname(path)), realpathSync(outer))) return
  throw new Error(`${path} does not lie in the data folder and is left alone`)
}

/** null when it is gone; else why not. */
async function remove(path: string): Promise<string | null> {
  try {
    await removeTree(path)
    return null
  } catch {
    // Agents leave folders without the right to write (module caches); those that are ours can be opened.
    await openFolders(path)
  }
  try {
    await removeTree(path)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Links are removed as links. */
const removeTree = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 2 })

const mostFolders = 500_000

/**
 * Gives the owner of a folder the rights to empty it. Only real folders below one that was set aside: no container
 * mounts it any more, so nothing can turn one of them into a link meanwhile.
 */
async function openFolders(top: string): Promise<void> {
  const waiting = [top]
  for (let seen = 0; seen < mostFolders; seen += 1) {
    const folder = waiting.pop()
    if (folder === undefined) return
    if (!(await giveOwnerRights(folder))) continue
    try {
      for await (const entry of await opendir(folder)) {
        if (entry.isDirectory()) waiting.push(join(folder, entry.name))
      }
    } catch {
      // Somebody else's: what could not be removed is told.
    }
  }
}

async function giveOwnerRights(folder: string): Promise<boolean> {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats?.isDirectory() !== true) return false
  if ((stats.mode & 0o700) === 0o700) return true
  return chmod(folder, 0o700).then(
    () => true,
    () => false,
  )
}
