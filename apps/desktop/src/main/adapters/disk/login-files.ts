import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { LoginFileLook, LoginFiles } from '@main/ports/login-files'

const maxBytes = 1_000_000

export const createLoginFiles = (): LoginFiles => ({ look })

async function look(path: string): Promise<LoginFileLook> {
  try {
    // Without blocking: it could be a pipe.
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
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
