import { lstat, unlink } from 'node:fs/promises'
import { basename, isAbsolute, normalize, sep } from 'node:path'
import type { Disk } from '@main/ports/disk'
import type { SessionStateLook, SessionStates } from '@main/ports/session-state'
import { openPlain } from '../session-import/plain-files'
import { accessOf } from './access-of'
import { inFolder, plainSize, type HeldFolder } from '../disk/held-folder'
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
    look: async (folder, file) =>
      file === null
        ? lookAtFolder(disk, folder)
        : ((await withFile(folder, file, (found) => lookAtFile(folder, found))) ?? nothing),
    list: listSessions,
    linesBehind: async (folder, file, from) =>
      (await withFile(folder, file, (found) => linesBehind(found, from))) ?? [],
    putAside: (folder, file) => putAside(copies, folder, file),
    removeFile: async (folder, file) => (await withFile(folder, file, removePlain)) ?? false,
  }
}

async function lookAtFolder(disk: Disk, folder: string): Promise<SessionStateLook> {
  const looked = await inFolder(folder, async (held) => {
    const paths = ((await held.names()) ?? []).slice(0, maxNamesLookedAt).map((name) => held.at(name))
    if (paths.length === 0) return null
    let savedAt = 0
    const all = [await accessOf(folder, folder)]
    for (const path of paths) {
      savedAt = Math.max(savedAt, (await lstat(path).catch(() => null))?.mtimeMs ?? 0)
      all.push(await accessOf(folder, path))
    }
    const isReadOnly = all.every(({ canRead }) => canRead) && all.some(({ canWrite }) => !canWrite)
    return { savedAt: Math.round(savedAt), isReadOnly }
  })
  if (looked === null) return { ...nothing, preflight: 'unknown' }
  const { bytes } = await disk.sizeOf(folder, maxStateBytes)
  return { preflight: 'unknown', bytes, ...looked }
}

/** A session's own file, while the folder that it lies in is held. */
interface FoundFile {
  readonly parent: HeldFolder
  /** From the state folder down; the last one is that of the file. */
  readonly names: readonly string[]
  readonly path: string
}

async function linesBehind({ path }: FoundFile, from: number): Promise<readonly string[]> {
  const opened = await openPlain(path)
  if (opened === null) return []
  const { handle, bytes } = opened
  try {
    const start = Math.max(from, bytes - maxAddedBytes)
    if (bytes <= start) return []
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(bytes - start), position: start })
    return buffer.subarray(0, bytesRead).toString('utf8').split('\n')
  } finally {
    await handle.close()
  }
}

async function removePlain({ path }: FoundFile): Promise<boolean> {
  if ((await plainSize(path)) === null) return false
  await unlink(path)
  return true
}

async function lookAtFile(folder: string, found: FoundFile): Promise<SessionStateLook> {
  const opened = await openPlain(found.path)
  if (opened === null) return { ...nothing, preflight: 'unreadable' }
  const { handle, bytes, savedAt } = opened
  try {
    const known = { bytes, savedAt, isReadOnly: false }
    if (bytes === 0) return { ...known, preflight: 'empty' }
    if (!(await accessOf(folder, found.path)).canRead) return { ...known, preflight: 'unreadable' }
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(Math.min(bytes, firstRecordBytes)),
      position: 0,
    })
    return isOwnState(found.path, buffer.subarray(0, bytesRead))
      ? { ...known, preflight: 'ok', isReadOnly: await isReadOnly(folder, found) }
      : { ...known, preflight: 'unreadable' }
  } finally {
    await handle.close()
  }
}

/** Also where only a part of it is, in a folder that is the session's own: the CLI may mend some of it and then give up. */
async function isReadOnly(folder: string, { parent, names, path }: FoundFile): Promise<boolean> {
  const beside = uuid.test(names.at(-2) ?? '') ? ((await parent.names()) ?? []) : []
  const paths = [path, ...beside.slice(0, maxNamesLookedAt).map((name) => parent.at(name))]
  for (const one of paths) if (!(await accessOf(folder, one)).canWrite) return true
  return false
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** null when it is not there: every part below the folder must be a folder and no link, the last one no link either. */
async function withFile<T>(
  folder: string,
  file: string,
  act: (found: FoundFile) => Promise<T>,
): Promise<T | null> {
  const relative = normalize(file)
  if (isAbsolute(relative) || relative.split(sep).includes('..')) return null
  const looks = { left: maxNamesLookedAt }
  return inFolder(folder, (held) => walk(held, [], relative.split(sep), looks, act))
}

/** `looks` bounds the walk: the agent may have made any number of folders. */
async function walk<T>(
  parent: HeldFolder,
  above: readonly string[],
  [part = '', ...rest]: readonly string[],
  looks: { left: number },
  act: (found: FoundFile) => Promise<T>,
): Promise<T | null> {
  for (const name of part.includes('*') ? await namesLike(part, parent) : [part]) {
    if ((looks.left -= 1) < 0) return null
    const path = parent.at(name)
    const names = [...above, name]
    const found =
      rest.length > 0
        ? await inFolder(path, (next) => walk(next, names, rest, looks, act))
        : (await isFile(path))
          ? await act({ parent, names, path })
          : null
    if (found !== null) return found
  }
  return null
}

const isFile = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isFile() === true

/** The newest first, where names begin with a time. */
async function namesLike(pattern: string, folder: HeldFolder): Promise<readonly string[]> {
  const [first = '', ...others] = pattern.split('*')
  const last = others.join('*')
  const isLike = (name: string): boolean =>
    name.length >= first.length + last.length && name.startsWith(first) && name.endsWith(last)
  return ((await folder.names()) ?? []).filter(isLike).toSorted().toReversed()
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
