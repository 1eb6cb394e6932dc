import { constants } from 'node:fs'
import { lstat, open, readdir, unlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path'
import type { Disk } from '@main/ports/disk'
import type { SessionStateLook, SessionStates } from '@main/ports/session-state'
import { accessOf } from './access-of'
import { listSessions } from './list-sessions'
import { putAside, type DatabaseCopies } from './put-aside'

/** How much of a file is read to see whether its first record is whole. */
const firstRecordBytes = 256 * 1024

/** More than any run is known to write; what is longer is read from its end. */
const maxAddedBytes = 16_000_000

/** A state folder may hold many sessions; beyond this its size is told as "at least". */
const maxStateBytes = 100_000_000_000

/** A session is looked for in so many folders and files, then it counts as gone. */
const maxNamesLookedAt = 20_000

const nothing: SessionStateLook = { preflight: 'missing', bytes: null, savedAt: null, isReadOnly: false }

export function createSessionStates(disk: Disk, copies: DatabaseCopies): SessionStates {
  return {
    look: (folder, file) => (file === null ? lookAtFolder(disk, folder) : lookAtFile(folder, file)),
    list: listSessions,
    linesBehind,
    putAside: (folder, file) => putAside(copies, folder, file),
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
  const all = await Promise.all(['', ...names].map((name) => accessOf(folder, join(folder, name))))
  return {
    preflight: 'unknown',
    bytes,
    savedAt: Math.round(Math.max(...times)),
    isReadOnly: all.every(({ canRead }) => canRead) && all.some(({ canWrite }) => !canWrite),
  }
}

async function linesBehind(folder: string, file: string, from: number): Promise<readonly string[]> {
  const path = await plainPath(folder, file)
  const handle = path === null ? null : await openToRead(path)
  if (handle === null) return []
  try {
    const stats = await handle.stat()
    const start = Math.max(from, stats.size - maxAddedBytes)
    if (!stats.isFile() || stats.size <= start) return []
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(stats.size - start),
      position: start,
    })
    return buffer.subarray(0, bytesRead).toString('utf8').split('\n')
  } finally {
    await handle.close()
  }
}

/** The agent may have put anything there: no link is followed, nothing is waited for. */
const openToRead = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)

async function lookAtFile(folder: string, file: string): Promise<SessionStateLook> {
  const path = await plainPath(folder, file)
  if (path === null) return nothing
  const handle = await openToRead(path)
  if (handle === null) return { ...nothing, preflight: 'unreadable' }
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return { ...nothing, preflight: 'unreadable' }
    const known = { bytes: stats.size, savedAt: Math.round(stats.mtimeMs), isReadOnly: false }
    if (stats.size === 0) return { ...known, preflight: 'empty' }
    if (!(await accessOf(folder, path)).canRead) return { ...known, preflight: 'unreadable' }
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(Math.min(stats.size, firstRecordBytes)),
      position: 0,
    })
    return isOwnState(path, buffer.subarray(0, bytesRead))
      ? { ...known, preflight: 'ok', isReadOnly: await isReadOnly(folder, path) }
      : { ...known, preflight: 'unreadable' }
  } finally {
    await handle.close()
  }
}

/** Also where only a part of it is, in a folder that is the session's own: the CLI may mend some of it and then give up. */
async function isReadOnly(folder: string, path: string): Promise<boolean> {
  const own = dirname(path)
  const names = uuid.test(basename(own)) ? await readdir(own).catch(() => []) : []
  const paths = [path, ...names.slice(0, maxNamesLookedAt).map((name) => join(own, name))]
  for (const one of paths) if (!(await accessOf(folder, one)).canWrite) return true
  return false
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The path when every part below the folder is what it seems: no link on the way, a plain file at its end. */
async function plainPath(folder: string, file: string): Promise<string | null> {
  const relative = normalize(file)
  if (isAbsolute(relative) || relative.split(sep).includes('..')) return null
  return plainBelow(folder, ['', ...relative.split(sep)], { left: maxNamesLookedAt })
}

/** `looks` bounds the walk: the agent may have made any number of folders. */
async function plainBelow(
  path: string,
  [part, ...rest]: readonly string[],
  looks: { left: number },
): Promise<string | null> {
  if (part === undefined) return (await lstat(path)).isFile() ? path : null
  const names = part.includes('*') ? await namesLike(part, path) : [part]
  for (const name of names) {
    if ((looks.left -= 1) < 0) return null
    const next = join(path, name)
    const stats = await lstat(next).catch(() => null)
    if (stats === null || stats.isSymbolicLink()) continue
    const found = await plainBelow(next, rest, looks)
    if (found !== null) return found
  }
  return null
}

/** The newest first, where names begin with a time. */
async function namesLike(pattern: string, folder: string): Promise<readonly string[]> {
  const [first = '', ...others] = pattern.split('*')
  const last = others.join('*')
  const isLike = (name: string): boolean =>
    name.length >= first.length + last.length && name.startsWith(first) && name.endsWith(last)
  const names = await readdir(folder).catch(() => [])
  return names.filter(isLike).toSorted().toReversed()
}

/**
 * Only what every CLI promises is checked: a JSON-lines file begins with a JSON record, and one that names its session
 * names that of its file. A CLI that goes by the file's name alone would remember another session's words.
 */
const databaseMagic = 'SQLite format 3\0'

function isOwnState(file: string, start: Buffer): boolean {
  if (file.endsWith('.db')) return start.toString('latin1', 0, databaseMagic.length) === databaseMagic
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

function isOfAnother(record: object, file: string): boolean {
  const named = sessionOf(record)
  return named !== null && !basename(file).toLowerCase().includes(named.toLowerCase())
}

/** The session that a first record names: by itself, or in the contents of one that is about the session. */
function sessionOf(record: object): string | null {
  if ('sessionId' in record && typeof record.sessionId === 'string') return record.sessionId
  if (!('type' in record) || record.type !== 'session_meta' || !('payload' in record)) return null
  const { payload } = record
  if (typeof payload !== 'object' || payload === null || !('id' in payload)) return null
  return typeof payload.id === 'string' ? payload.id : null
}
