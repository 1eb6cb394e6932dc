import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync, rmSync } from 'node:fs'
import { lstat, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '@shared/format'
import { err, ok, type Result } from '@shared/result'
import { isUsableSessionId } from '@main/core/session/session-id'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type {
  FinderError,
  FoundSession,
  FoundSessions,
  HandMade,
  HandMadeSessions,
  StagedSession,
  StageError,
} from '@main/ports/hand-made-sessions'
import { maxDatabaseBytes, openCopyOf, type CopiedDatabase, type CopyProblem } from '../db/copied-database'
import { readSessions, type SessionDatabase, type SessionRow } from '../db/copied-sessions'
import { maxSessionBytes, tooLarge } from './copy-records'
import { give, placeFiles } from './place-files'
import { plainFolder } from './plain-files'
import { oneLine } from './read-records'

export interface DatabaseOptions {
  readonly stagingFolder: string
  readonly nativeBinding: string | undefined
}

type Kept = Extract<HandMade, { kind: 'database' }>
type ReadError = FinderError & { readonly type: 'too_large' | 'unreadable' }

/** Sessions in the first database that is there, the newest first; with `only` that one alone. */
export async function findInDatabase(
  options: DatabaseOptions,
  adapter: AgentAdapter,
  kept: Kept,
  folder: string,
  limit: number,
  only: string | null,
): Promise<Result<FoundSessions, FinderError>> {
  const file = await databaseIn(kept, folder)
  if (file === null) return ok({ sessions: [], isCut: false })
  return withSessions(options, adapter.id, kept, file, async (db) => {
    const rows = await db.list(limit + 1, only)
    const sessions = rows.slice(0, limit).filter(({ id }) => isUsableSessionId(id, adapter.sessionIdPattern))
    return { sessions: sessions.map(toFound), isCut: rows.length > limit }
  })
}

async function databaseIn(kept: Kept, folder: string): Promise<string | null> {
  for (const place of kept.places) {
    const parent = await plainFolder(folder, place)
    if (parent === null) continue
    const file = join(parent, kept.target)
    if ((await lstat(file).catch(() => null))?.isFile() === true) return file
  }
  return null
}

/** Does something with a copy of the database, which is gone afterwards. */
async function withSessions<T>(
  { stagingFolder, nativeBinding }: DatabaseOptions,
  cli: string,
  kept: Kept,
  file: string,
  act: (db: SessionDatabase, copy: CopiedDatabase) => Promise<T>,
): Promise<Result<T, ReadError>> {
  const copy = await openCopyOf(file, join(stagingFolder, randomUUID()), nativeBinding)
  if (!copy.ok) return err(problemWith(cli, kept, file, copy.error))
  try {
    const db = await readSessions(copy.value)
    if (db !== null) return ok(await act(db, copy.value))
    return err(unreadable(`${file} holds no sessions in a way that Alfred knows: ${otherVersion(cli)}`))
  } catch {
    return err(unreadable(`What lies in ${file} could not be read: ${otherVersion(cli)}`))
  } finally {
    await copy.value.close()
  }
}

const unreadable = (message: string): ReadError => ({ type: 'unreadable', message })
const otherVersion = (cli: string): string =>
  `it is of another version of ${cli}. Begin the session anew with a version that Alfred resumes.`

function problemWith(cli: string, { shrink }: Kept, file: string, problem: CopyProblem): ReadError {
  switch (problem.type) {
    case 'too_large':
      return {
        type: 'too_large',
        message: `The database ${file} has ${formatBytes(problem.bytes)}, and at most ${formatBytes(maxDatabaseBytes)} are copied. ${shrink} Then look again.`,
      }
    case 'not_copied':
      return unreadable(
        `The database ${file} could not be copied (${problem.why}). See that you may read it and that the disk has room, and look again.`,
      )
    case 'damaged':
      return unreadable(
        `The database ${file} is damaged, or changed while it was copied. Quit ${cli} and look again.`,
      )
  }
}

const toFound = ({ id, title, directory, bytes, savedAt }: SessionRow): FoundSession => ({
  nativeId: id,
  title: oneLine(title),
  workedIn: oneLine(directory),
  bytes,
  savedAt,
  isTooLarge: bytes > maxSessionBytes,
  lacks: null,
})

/**
 * Under its own id into a state that has no database yet, since two of them cannot be made one. Under another one it is a
 * fork, in the very database that it lies in.
 */
export async function stageFromDatabase(
  options: DatabaseOptions,
  kept: Kept,
  { adapter, folder, fromId, toId, user }: Parameters<HandMadeSessions['stage']>[0],
): Promise<Result<StagedSession, StageError>> {
  const gone: StageError = { type: 'gone', message: `The session ${fromId} is not there any more.` }
  const file = await databaseIn(kept, folder)
  if (file === null) return err(gone)
  const isFork = fromId !== toId
  const marks = marksOf(file)
  const work = join(options.stagingFolder, randomUUID())
  const copy = join(work, kept.target)
  const written = await withSessions(options, adapter.id, kept, file, async (db, whole) => {
    const [row] = await db.list(1, fromId)
    if (row === undefined) return null
    const { title, bytes } = row
    if (bytes > maxSessionBytes) return { title, bytes, withLog: null }
    await mkdir(work, { recursive: true, mode: 0o700 })
    const withLog = isFork ? await whole.writeWithLog(join(work, 'with-log.db')) : null
    await (isFork ? db.writeForked(fromId, toId, copy) : db.writeAlone(fromId, copy))
    return { title, bytes, withLog }
  })
  const discard = (): Promise<void> => rm(work, { recursive: true, force: true })
  if (!written.ok || written.value === null) {
    await discard()
    return written.ok ? err(gone) : written
  }
  const { title, bytes, withLog } = written.value
  if (bytes > maxSessionBytes) return err(tooLarge(bytes))
  give(copy, user)
  if (withLog !== null) give(withLog, user)
  const { size } = await stat(copy)
  return ok({
    bytes: size,
    title: oneLine(title),
    recordsLeftOut: 0,
    folder: work,
    place: (stateFolder) =>
      isFork
        ? replace(withLog, copy, join(stateFolder, kept.target), marks)
        : placeAlone(work, stateFolder, kept.target, user),
    discard,
  })
}

/** How the files of a database are known again: two that are alike have not been written between. */
const marksOf = (file: string): string =>
  ['', '-wal']
    .map((end) => lstatSync(`${file}${end}`, { throwIfNoEntry: false }))
    .map((found) => (found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeMs}`))
    .join(', ')

/**
 * The copy holds all that the database does, if nobody wrote there since. Wherever an engine that dies stops this, one
 * whole database is in place: the log goes when the database has it in itself, and before one comes that it is not of.
 */
function replace(withLog: string | null, copy: string, target: string, marks: string): string | null {
  if (marksOf(target) !== marks)
    return 'The memory changed while it was copied, so nothing was done. Fork it again.'
  if (withLog !== null) renameSync(withLog, target)
  // An agent may have made a folder there.
  for (const end of ['-wal', '-shm']) rmSync(`${target}${end}`, { recursive: true, force: true })
  renameSync(copy, target)
  return null
}

function placeAlone(
  work: string,
  stateFolder: string,
  name: string,
  user: Parameters<typeof give>[1],
): string | null {
  const isThere = ['', '-wal', '-shm'].some(
    (end) => lstatSync(join(stateFolder, `${name}${end}`), { throwIfNoEntry: false }) !== undefined,
  )
  return isThere
    ? 'The issue has a memory of this agent already, and all its sessions lie in one database: another one cannot be added.'
    : placeFiles(work, stateFolder, [name], user)
}
