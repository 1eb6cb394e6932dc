import { join } from 'node:path'
import { ok, type Result } from '@shared/result'
import type { StreamPosition } from '@shared/model/records'
import type { RunUid } from '@shared/model/ids'
import type { Redact } from '../../core/redact/redact'
import { withoutParts } from '../../core/redact/without-parts'
import type { SandboxUser } from '../../core/sandbox/sandbox-user'
import type { RunFolders, StartNumber } from '../../ports/run-folder'
import type { LogPage, RunLogs } from '../../ports/run-logs'
import type { SandboxFiles } from '../../ports/sandbox-files'
import type { StreamFile, StreamFileError, StreamFiles } from '../../ports/stream-files'
import type { DataPaths } from './data-paths'
import { readRedactedPage } from './redacted-page'

/*
 * The folder of a run as the run services use it. Only `in/` and the `out/` of a start are ever mounted; what comes out
 * is copied, checked and limited, before anybody reads it.
 */

export interface StartFiles {
  /** Host folder that is mounted at /alfred/out. */
  readonly output: string
  readonly stdout: StreamFile
  readonly stderr: StreamFile
}

/** How far the streams of a start were read before a restart: it must still be those files. */
export interface StartPositions {
  readonly stdout: StreamPosition | null
  readonly stderr: StreamPosition | null
}

/** What the entry and the agent left, copied into a folder that was never mounted. null: not there, or refused. */
export interface TakenOutputs {
  readonly entry: string | null
  readonly status: string | null
  readonly result: string | null
  /** Paths of the copies. */
  readonly commitsBundle: string | null
  readonly keptBundle: string | null
  /** Names that were there and broke the rules (a link, a FIFO, too large), with the reason. */
  readonly refused: readonly { readonly name: string; readonly message: string }[]
}

export interface RunFiles {
  readonly folderOf: (uid: RunUid) => string
  readonly inputOf: (uid: RunUid) => string
  /** Makes the folder and writes files of `in/`; the same again changes nothing. */
  writeInput(uid: RunUid, files: Readonly<Record<string, string | Uint8Array>>): Promise<void>
  readInput(uid: RunUid, name: string): Promise<string | null>
  /** Makes the output folder of a start, or opens it when it is there already (after a crash). */
  openStart(
    uid: RunUid,
    start: StartNumber,
    user: SandboxUser,
    positions: StartPositions,
  ): Promise<Result<StartFiles, StreamFileError>>
  takeOutputs(uid: RunUid, start: StartNumber): Promise<TakenOutputs>
  /** Puts redacted copies in the place of the raw stream files and of `result.json`. Done already: nothing happens. */
  redactStreams(uid: RunUid, start: StartNumber): Promise<void>
  /** A page of the log: redacted on the way while the run lives, the redacted copy afterwards. */
  readLog(
    uid: RunUid,
    start: StartNumber,
    stream: 'stdout' | 'stderr',
    offset: number,
    limit: number,
  ): Promise<LogPage | null>
  logBytes(uid: RunUid, start: StartNumber): Promise<number | null>
}

/** Caps of what is taken out of `out/`. */
export const outputLimits = {
  'entry.json': 1_000_000,
  'status.json': 20_000_000,
  'result.json': 2_000_000,
  'commits.bundle': 500_000_000,
  'kept.bundle': 200_000_000,
} as const
type OutputName = keyof typeof outputLimits

const streamNames = { stdout: 'stream.out', stderr: 'stream.err' } as const

interface Parts {
  readonly folders: RunFolders
  readonly logs: RunLogs
  readonly streams: StreamFiles
  readonly sandboxFiles: SandboxFiles
  readonly paths: DataPaths
  readonly redact: Redact
}

export function createRunFiles({ folders, logs, streams, sandboxFiles, paths, redact }: Parts): RunFiles {
  const redactStream = withoutParts(redact)
  const rawLog = (uid: RunUid, start: StartNumber, stream: 'stdout' | 'stderr'): string =>
    join(folders.outputFolder(paths.run(uid), start), streamNames[stream])
  const keptLog = (uid: RunUid, start: StartNumber, stream: 'stdout' | 'stderr'): string =>
    join(paths.run(uid), 'log', `${start.attempt}-${start.start}-${stream}.log`)

  return {
    folderOf: (uid) => paths.run(uid),
    inputOf: (uid) => folders.inputFolder(paths.run(uid)),
    async writeInput(uid, files) {
      const folder = paths.run(uid)
      await folders.prepare(folder)
      for (const [name, content] of Object.entries(files)) await folders.writeInput(folder, name, content)
    },
    readInput: (uid, name) => logs.readText(join(folders.inputFolder(paths.run(uid)), name), 50_000_000),
    async openStart(uid, start, user, positions) {
      const output = folders.outputFolder(paths.run(uid), start)
      await sandboxFiles.ensureFolder(output, user)
      const stdout = await openOrCreate(streams, join(output, streamNames.stdout), user, positions.stdout)
      if (!stdout.ok) return stdout
      const stderr = await openOrCreate(streams, join(output, streamNames.stderr), user, positions.stderr)
      if (stderr.ok) return ok({ output, stdout: stdout.value, stderr: stderr.value })
      await stdout.value.close()
      return stderr
    },
    takeOutputs: (uid, start) => takeOutputs(folders, logs, paths.run(uid), start),
    async redactStreams(uid, start) {
      for (const stream of ['stdout', 'stderr'] as const) {
        await logs.redact(rawLog(uid, start, stream), keptLog(uid, start, stream), redactStream)
      }
      // It was read; what is kept of it is redacted like the rest.
      await logs.redact(
        folders.copyOf(paths.run(uid), start, 'result.json'),
        join(paths.run(uid), 'log', `${start.attempt}-${start.start}-result.json`),
        redact,
      )
      await logs.remove(join(folders.outputFolder(paths.run(uid), start), 'result.json'))
    },
    async readLog(uid, start, stream, offset, limit) {
      const kept = await logs.read(keptLog(uid, start, stream), offset, limit)
      if (kept !== null) return kept
      const path = rawLog(uid, start, stream)
      return readRedactedPage((at, bytes) => logs.read(path, at, bytes), offset, limit, redactStream)
    },
    async logBytes(uid, start) {
      const sizes = await Promise.all(
        (['stdout', 'stderr'] as const).map(
          async (stream) =>
            (await logs.sizeOf(keptLog(uid, start, stream))) ?? logs.sizeOf(rawLog(uid, start, stream)),
        ),
      )
      const known = sizes.filter((size) => size !== null)
      return known.length === 0 ? null : known.reduce((sum, size) => sum + size, 0)
    },
  }
}

async function openOrCreate(
  streams: StreamFiles,
  path: string,
  user: SandboxUser,
  position: StreamPosition | null,
): Promise<Result<StreamFile, StreamFileError>> {
  const present = await streams.open(path, position)
  return present.ok || present.error.type !== 'missing' || position !== null
    ? present
    : streams.create(path, user)
}

async function takeOutputs(
  folders: RunFolders,
  logs: RunLogs,
  folder: string,
  start: StartNumber,
): Promise<TakenOutputs> {
  const refused: { name: string; message: string }[] = []
  const copies = new Map<OutputName, string>()
  for (const name of Object.keys(outputLimits) as OutputName[]) {
    const taken = await folders.takeOutput(folder, start, name, outputLimits[name])
    if (taken.ok) copies.set(name, taken.value)
    else if (taken.error.type !== 'missing') refused.push({ name, message: taken.error.message })
  }
  const textOf = async (name: OutputName): Promise<string | null> => {
    const copy = copies.get(name)
    return copy === undefined ? null : logs.readText(copy, outputLimits[name])
  }
  return {
    entry: await textOf('entry.json'),
    status: await textOf('status.json'),
    result: await textOf('result.json'),
    commitsBundle: copies.get('commits.bundle') ?? null,
    keptBundle: copies.get('kept.bundle') ?? null,
    refused,
  }
}
