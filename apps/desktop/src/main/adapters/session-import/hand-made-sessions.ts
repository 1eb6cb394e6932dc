import { randomUUID } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import { isUsableSessionId } from '@main/core/session/session-id'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type {
  FinderError,
  FoundSession,
  FoundSessions,
  HandMadeLayout,
  HandMadeSessions,
  JsonRecord,
  Rekeying,
  StagedSession,
  StageError,
} from '@main/ports/hand-made-sessions'
import { findInDatabase, stageFromDatabase, type DatabaseOptions } from './database-sessions'
import { copyRecords, maxSessionBytes, tooLarge } from './copy-records'
import { fittingFiles, openPlain, plainFolder } from './plain-files'
import { give, placeFiles } from './place-files'
import { oneLine, someRecords } from './read-records'

/** Listed at most, the newest of them. */
const mostListed = 500

/** `stagingFolder` lies on the same disk as the state folders; what an end left in it is removed with `removeLeftCopies`. */
export function createHandMadeSessions(options: DatabaseOptions): HandMadeSessions {
  return {
    find: (adapter, folder, only) => find(options, adapter, folder, only),
    stage: (request) =>
      request.adapter.handMade?.kind === 'database'
        ? stageFromDatabase(options, request.adapter.handMade, request)
        : stage(options.stagingFolder, request),
  }
}

/** Copies that an engine made and did not place before it died. */
export const removeLeftCopies = (stagingFolder: string): Promise<void> =>
  rm(stagingFolder, { recursive: true, force: true })

interface Located {
  readonly place: string
  readonly path: string
  readonly id: string
  readonly bytes: number
  readonly savedAt: number
}

async function find(
  options: DatabaseOptions,
  adapter: AgentAdapter,
  folder: string,
  only: string | null,
): Promise<Result<FoundSessions, FinderError>> {
  const problem = await folderProblem(folder)
  if (problem !== null) return err(problem)
  if (adapter.handMade?.kind === 'database')
    return findInDatabase(options, adapter, adapter.handMade, folder, mostListed, only)
  const layout = layoutOf(adapter)
  if (layout === null) return ok({ sessions: [], isCut: false })
  const { located, isCut } = await locate(adapter, layout, folder, only)
  const listed = located.slice(0, mostListed)
  const sessions: FoundSession[] = []
  for (const one of listed) sessions.push(await describe(layout, one))
  return ok({ sessions, isCut: isCut || located.length > listed.length })
}

async function folderProblem(folder: string): Promise<FinderError | null> {
  if (!isAbsolute(folder)) {
    return { type: 'not_a_folder', message: 'Write the whole path of a folder, as in /home/me.' }
  }
  const stats = await stat(folder).catch((error: unknown) => String(error))
  if (typeof stats === 'string') {
    return /ENOENT|ENOTDIR/.test(stats)
      ? { type: 'not_a_folder', message: `There is no folder ${folder}.` }
      : { type: 'not_readable', message: `The folder ${folder} cannot be read.` }
  }
  return stats.isDirectory() ? null : { type: 'not_a_folder', message: `${folder} is a file, not a folder.` }
}

const layoutOf = ({ handMade }: AgentAdapter): HandMadeLayout | null =>
  handMade?.kind === 'files' ? handMade : null

/** The newest first; of two files of one session the newer one. */
async function locate(
  adapter: AgentAdapter,
  layout: HandMadeLayout,
  folder: string,
  only: string | null,
): Promise<{ readonly located: readonly Located[]; readonly isCut: boolean }> {
  const byId = new Map<string, Located>()
  let isCut = false
  for (const name of layout.places) {
    const place = await plainFolder(folder, name)
    if (place === null) continue
    const { files, isCut: isPlaceCut } = await fittingFiles(place, layout.path, only)
    isCut ||= isPlaceCut
    for (const { path, id } of files) {
      if (!isUsableSessionId(id, adapter.sessionIdPattern)) continue
      const file = await openPlain(join(place, path))
      if (file === null) continue
      await file.handle.close()
      const { bytes, savedAt } = file
      if ((byId.get(id)?.savedAt ?? -1) < savedAt) byId.set(id, { place, path, id, bytes, savedAt })
    }
    if (byId.size > 0) break
  }
  return { located: [...byId.values()].toSorted((a, b) => b.savedAt - a.savedAt), isCut }
}

/** The files of a session, its own first, as they are there. */
const filesOf = (layout: HandMadeLayout, { path }: Located): readonly string[] => [
  path,
  ...layout.beside.map((name) =>
    path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/${name}` : name,
  ),
]

/** A `.json` holds one record, everything else one a line. */
const isOneRecord = (path: string): boolean => path.endsWith('.json')

async function describe(layout: HandMadeLayout, located: Located): Promise<FoundSession> {
  const records: JsonRecord[] = []
  const missing = new Set(layout.needed)
  let bytes = 0
  for (const path of filesOf(layout, located)) {
    const file = await openPlain(join(located.place, path))
    if (file === null) continue
    try {
      bytes += file.bytes
      const some = await someRecords(file, isOneRecord(path))
      if (some.length > 0) missing.delete(path.slice(path.lastIndexOf('/') + 1))
      records.push(...some)
    } finally {
      await file.handle.close()
    }
  }
  const { title, workedIn } = layout.describe(records)
  const [lacks = null] = missing
  return {
    nativeId: located.id,
    title: oneLine(title),
    workedIn: oneLine(workedIn),
    bytes,
    savedAt: located.savedAt,
    isTooLarge: bytes > maxSessionBytes,
    lacks,
  }
}

async function stage(
  stagingFolder: string,
  { adapter, folder, fromId, toId, user }: Parameters<HandMadeSessions['stage']>[0],
): Promise<Result<StagedSession, StageError>> {
  const layout = layoutOf(adapter)
  const gone = (): Result<never, StageError> =>
    err({ type: 'gone', message: `The session ${fromId} of ${adapter.id} is not there any more.` })
  if (layout === null || !isUsableSessionId(toId, adapter.sessionIdPattern)) return gone()
  const located = (await locate(adapter, layout, folder, fromId)).located.at(0)
  if (located === undefined) return gone()
  const { bytes, title, lacks, ...described } = await describe(layout, located)
  if (bytes > maxSessionBytes) return err(tooLarge(bytes))
  if (lacks !== null) {
    return err({
      type: 'unreadable',
      message: `${lacks} of the session is gone or cannot be read, and without it ${adapter.id} opens no session: nothing was copied.`,
    })
  }
  const change: Rekeying = { fromId, toId, workedIn: described.workedIn }
  const work = join(stagingFolder, randomUUID())
  const discard = (): Promise<void> => rm(work, { recursive: true, force: true })
  try {
    const copied = await copyAll(layout, located, work, change, user)
    if (copied.essential === 0) {
      await discard()
      return err({
        type: 'unreadable',
        message: 'Nothing of the session can be read, so nothing was copied.',
      })
    }
    return ok({
      bytes: copied.bytes,
      title,
      recordsLeftOut: copied.leftOut,
      folder: work,
      place: (stateFolder) => placeFiles(work, stateFolder, copied.paths, user),
      discard,
    })
  } catch (error) {
    await discard()
    throw error
  }
}

async function copyAll(
  layout: HandMadeLayout,
  located: Located,
  work: string,
  change: Rekeying,
  user: Parameters<typeof give>[1],
) {
  const copied = { paths: [] as string[], bytes: 0, essential: 0, leftOut: 0 }
  for (const path of filesOf(layout, located)) {
    const file = await openPlain(join(located.place, path))
    if (file === null) continue
    try {
      if (file.bytes > maxSessionBytes) throw new Error(`${path} grew while it was copied`)
      const target = layout.target(path, change)
      const to = join(work, target)
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      const counts = await copyRecords(file, to, isOneRecord(path), layout, change)
      give(to, user)
      copied.paths.push(target)
      copied.bytes += counts.bytes
      copied.essential += counts.essential
      copied.leftOut += counts.leftOut
    } finally {
      await file.handle.close()
    }
  }
  // Its own file last: until it is there, the session is not.
  return { ...copied, paths: copied.paths.toReversed() }
}
