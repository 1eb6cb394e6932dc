import { constants } from 'node:fs'
import { lstat, open, readdir, unlink } from 'node:fs/promises'
import { basename, isAbsolute, join, normalize, sep } from 'node:path'
import type { Disk } from '@main/ports/disk'
import type { SessionStateLook, SessionStates } from '@main/ports/session-state'

/** How much of a file is read to see whether its first record is whole. */
const firstRecordBytes = 256 * 1024

/** A state folder may hold many sessions; beyond this its size is told as "at least". */
const maxStateBytes = 100_000_000_000

const nothing: SessionStateLook = { preflight: 'missing', bytes: null, savedAt: null }

export function createSessionStates(disk: Disk): SessionStates {
  return {
    look: (folder, file) => (file === null ? lookAtFolder(disk, folder) : lookAtFile(folder, file)),
    async removeFile(folder, file) {
      const path = await plainPath(folder, file)
      if (path === null) return false
      await unlink(path)
      return true
    },
  }
}

async function lookAtFolder(disk: Disk, folder: string): Promise<SessionStateLook> {
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) return { ...nothing, preflight: 'unknown' }
  const times = await Promise.all(
    names.map((name) =>
      lstat(join(folder, name))
        .then((s) => s.mtimeMs)
        .catch(() => 0),
    ),
  )
  const { bytes } = await disk.sizeOf(folder, maxStateBytes)
  return { preflight: 'unknown', bytes, savedAt: Math.round(Math.max(...times)) }
}

async function lookAtFile(folder: string, file: string): Promise<SessionStateLook> {
  const path = await plainPath(folder, file)
  if (path === null) return nothing
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  )
  if (handle === null) return { ...nothing, preflight: 'unreadable' }
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return { ...nothing, preflight: 'unreadable' }
    const known = { bytes: stats.size, savedAt: Math.round(stats.mtimeMs) }
    if (stats.size === 0) return { ...known, preflight: 'empty' }
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(Math.min(stats.size, firstRecordBytes)),
      position: 0,
    })
    return { ...known, preflight: isOwnState(file, buffer.subarray(0, bytesRead)) ? 'ok' : 'unreadable' }
  } finally {
    await handle.close()
  }
}

/** The path when every part below the folder is what it seems: no link on the way, a plain file at its end. */
async function plainPath(folder: string, file: string): Promise<string | null> {
  const relative = normalize(file)
  if (isAbsolute(relative) || relative.split(sep).includes('..')) return null
  let path = folder
  for (const part of ['', ...relative.split(sep)]) {
    path = join(path, part)
    const stats = await lstat(path).catch(() => null)
    if (stats === null || stats.isSymbolicLink()) return null
  }
  return (await lstat(path)).isFile() ? path : null
}

/**
 * Only what every CLI promises is checked: a JSON-lines file begins with a JSON record, and one that names its session
 * names that of its file. A CLI that goes by the file's name alone would remember another session's words.
 */
function isOwnState(file: string, start: Buffer): boolean {
  if (!file.endsWith('.jsonl')) return true
  const end = start.indexOf(0x0a)
  // A first record longer than what was read: nobody looked, so it is tried.
  if (end === -1 && start.length === firstRecordBytes) return true
  try {
    const record: unknown = JSON.parse(start.subarray(0, end === -1 ? start.length : end).toString('utf8'))
    return typeof record === 'object' && record !== null && !isOfAnother(record, file)
  } catch {
    return false
  }
}

const isOfAnother = (record: object, file: string): boolean =>
  'sessionId' in record &&
  typeof record.sessionId === 'string' &&
  !basename(file).toLowerCase().includes(record.sessionId.toLowerCase())
