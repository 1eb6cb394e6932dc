import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { lstat, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import { isUsableSessionId } from '@main/core/session/session-id'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type {
  FoundSession,
  FoundSessions,
  HandMade,
  HandMadeSessions,
  JsonRecord,
  StagedSession,
  StageError,
} from '@main/ports/hand-made-sessions'
import { openCopyOf, type SessionDatabase } from '../db/copied-sessions'
import { give, placeFiles } from './place-files'
import { plainFolder } from './plain-files'
import { oneLine } from './read-records'

export interface DatabaseOptions {
  readonly stagingFolder: string
  readonly nativeBinding: string | undefined
}

type Kept = Extract<HandMade, { kind: 'database' }>

/** Sessions in the first database that is there; none where it cannot be read. */
export async function findInDatabase(
  { stagingFolder, nativeBinding }: DatabaseOptions,
  adapter: AgentAdapter,
  kept: Kept,
  folder: string,
  limit: number,
): Promise<FoundSessions> {
  const file = await databaseIn(kept, folder)
  const db = file === null ? null : await openCopyOf(file, join(stagingFolder, randomUUID()), nativeBinding)
  if (db === null || db === 'too_large') return { sessions: [], isCut: false }
  try {
    const rows = db.list(limit + 1).map((row) => toFound(db, row))
    const sessions = rows.filter(
      (one) => one !== null && isUsableSessionId(one.nativeId, adapter.sessionIdPattern),
    )
    return { sessions: sessions.filter((one) => one !== null).slice(0, limit), isCut: rows.length > limit }
  } catch {
    // Tables of the right names with other columns: a version that nobody knows.
    return { sessions: [], isCut: false }
  } finally {
    await db.close()
  }
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

function toFound(db: SessionDatabase, row: JsonRecord): FoundSession | null {
  const { id, title, directory, time_updated: savedAt, parent_id: parent } = row
  // What an agent asked another one belongs to the session that it asked in.
  if (typeof id !== 'string' || (parent !== null && parent !== undefined)) return null
  return {
    nativeId: id,
    title: oneLine(typeof title === 'string' ? title : null),
    workedIn: oneLine(typeof directory === 'string' ? directory : null),
    bytes: db.bytesOf(id),
    savedAt: typeof savedAt === 'number' ? savedAt : 0,
    isTooLarge: false,
  }
}

/** Only under its own id, and only into a state that has no database yet: two of them cannot be made one. */
export async function stageFromDatabase(
  { stagingFolder, nativeBinding }: DatabaseOptions,
  kept: Kept,
  { folder, fromId, toId, user }: Parameters<HandMadeSessions['stage']>[0],
): Promise<Result<StagedSession, StageError>> {
  const gone = (): Result<never, StageError> =>
    err({ type: 'gone', message: `The session ${fromId} is not there any more.` })
  const file = await databaseIn(kept, folder)
  if (file === null || fromId !== toId) return gone()
  const db = await openCopyOf(file, join(stagingFolder, randomUUID()), nativeBinding)
  if (db === 'too_large')
    return err({ type: 'too_large', message: 'Its database is too large to be copied.' })
  if (db === null)
    return err({ type: 'unreadable', message: 'Its database cannot be read, so nothing was copied.' })
  const work = join(stagingFolder, randomUUID())
  const discard = (): Promise<void> => rm(work, { recursive: true, force: true })
  try {
    const row = db.list(100_000).find(({ id }) => id === fromId)
    const found = row === undefined ? null : toFound(db, row)
    if (found === null) return gone()
    await mkdir(work, { recursive: true, mode: 0o700 })
    const copy = join(work, kept.target)
    db.writeAlone(fromId, copy)
    give(copy, user)
    const { size } = await stat(copy)
    return ok({
      bytes: size,
      title: found.title,
      recordsLeftOut: 0,
      folder: work,
      place: (stateFolder) => placeAlone(work, stateFolder, kept.target, user),
      discard,
    })
  } catch {
    await discard()
    return err({ type: 'unreadable', message: 'Its database cannot be read, so nothing was copied.' })
  } finally {
    await db.close()
  }
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
