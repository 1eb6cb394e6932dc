import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { SandboxUser } from '@main/core/sandbox/sandbox-user'
import type { LoginFileLook, LoginFiles } from '@main/ports/login-files'

const maxBytes = 1_000_000

export const createLoginFiles = (): LoginFiles => ({ look, handOver, pathOf })

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

async function pathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(await pathOf(folder), basename(path))
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
