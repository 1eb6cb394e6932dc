import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { groupFile, passwdFile, type SandboxUser } from '@main/core/sandbox/sandbox-user'
import type { SandboxFiles } from '@main/ports/sandbox-files'

export interface SandboxFilesOptions {
  /** The app's `resources` folder; real files, since the engine mounts them. */
  readonly resourcesFolder: string
  readonly dataFolder: string
}

export function createSandboxFiles({ resourcesFolder, dataFolder }: SandboxFilesOptions): SandboxFiles {
  const folder = join(dataFolder, '.sandbox')

  /** A copy in the data folder: an update of the app must not change files that running containers mount. */
  const copyOf = async (name: string, mode: number): Promise<string> => {
    const content = await readFile(join(resourcesFolder, 'entry', name), 'utf8')
    return keep(join(folder, name), content, mode)
  }

  return {
    fixedFiles: async (user) => {
      await mkdir(folder, { recursive: true, mode: 0o755 })
      const id = `${user.uid}-${user.gid}`
      const [entry, gitConfig, passwd, group] = await Promise.all([
        copyOf('alfred-entry', 0o755),
        copyOf('gitconfig', 0o644),
        keep(join(folder, `passwd-${id}`), passwdFile(user), 0o644),
        keep(join(folder, `group-${id}`), groupFile(user), 0o644),
      ])
      return { entry, gitConfig, passwd, group }
    },
    ensureFolder: async (path, user) => {
      await mkdir(path, { recursive: true, mode: 0o700 })
      if (process.getuid?.() === 0) await own(path, user)
    },
  }
}

/**
 * Also for a folder that is there: an end between making it and giving it away must not leave it to root for good.
 * Only the folder itself, through a handle, so that no link is followed and nothing inside is touched.
 */
async function own(path: string, user: SandboxUser): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    const { uid, gid } = await handle.stat()
    if (uid !== user.uid || gid !== user.gid) await handle.chown(user.uid, user.gid)
  } finally {
    await handle.close()
  }
}

/** Written beside and renamed over: a mounted older file stays whole for its container. */
async function keep(path: string, content: string, mode: number): Promise<string> {
  const present = await readFile(path, 'utf8').catch(() => null)
  if (present === content) return path
  // Two runs may start at once: each writes a file of its own, and the last rename wins with the same content.
  const fresh = `${path}.${randomUUID()}.new`
  await writeFile(fresh, content, { mode })
  await rename(fresh, path)
  return path
}
