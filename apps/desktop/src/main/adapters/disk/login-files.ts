import { constants } from 'node:fs'
import { open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { SandboxUser } from '@main/core/sandbox/sandbox-user'
import type { LoginFileLook, LoginFiles } from '@main/ports/login-files'

const maxBytes = 1_000_000
/** As many as the system follows. */
const mostLinks = 40

export const createLoginFiles = (): LoginFiles => ({
  look,
  handOver,
  pathOf: (path) => pathOf(path),
})

// Without blocking: it could be a pipe.
const openSafely = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)

async function handOver(path: string, { uid, gid }: SandboxUser): Promise<void> {
  if (process.getuid?.() !== 0) return
  const handle = await openSafely(path)
  try {
    const found = await handle.stat()
    if (found.isFile() && found.nlink === 1 && found.uid === 0 && uid !== 0) await handle.chown(uid, gid)
  } finally {
    await handle.close()
  }
}

async function pathOf(path: string, linksLeft = mostLinks): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const folder = dirname(path)
    if (folder === path) return path
    const real = await pathOf(folder, linksLeft)
    const place = join(real, basename(path))
    const target = await readlink(place).catch(() => null)
    if (target === null || linksLeft === 0) return place
    // Not joined: `..` behind another link is beside what that one leads to.
    return pathOf(isAbsolute(target) ? target : `${real}/${target}`, linksLeft - 1)
  }
}

async function look(path: string): Promise<LoginFileLook> {
  try {
    const handle = await openSafely(path)
    try {
      const found = await handle.stat()
      if (!found.isFile() || found.size > maxBytes) return { type: 'unreadable' }
      return { type: 'read', content: await handle.readFile('utf8') }
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { type: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable' }
  }
}
