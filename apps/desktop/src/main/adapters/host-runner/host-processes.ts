import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { z } from 'zod'
import { containerPaths } from '@main/core/sandbox/container-paths'
import type { ContainerSpec } from '@main/ports/container-runtime'
import type { DataRemover } from '@main/ports/data-remover'
import { bornOf, leftOfGroup, withoutBirth } from './process-group'

/*
 * Processes of host runs, each with a folder that says what it is and how it ended. They are not children that die
 * with the app: a restart finds them again.
 */

const recordSchema = z.object({
  pid: z.number().int().positive(),
  /** Of the process, so that a number which the system gave away again is not taken for it. */
  born: z.string(),
  startedAt: z.number(),
  labels: z.record(z.string(), z.string()),
})

export interface HostProcess {
  readonly name: string
  readonly isRunning: boolean
  readonly exitCode: number | null
  readonly labels: Readonly<Record<string, string>>
  readonly startedAt: number
}

export interface HostProcesses {
  start(spec: ContainerSpec, now: number): Promise<HostProcess>
  find(name: string): Promise<HostProcess | null>
  list(): Promise<readonly HostProcess[]>
  /** To the whole process group, also to what is left of it; false when that cannot be told from another's. */
  signal(name: string, signal: 'SIGTERM' | 'SIGKILL'): boolean
  /** With its home. What cannot be deleted yet is deleted at cleanup. false as for `signal`. */
  remove(name: string): Promise<boolean>
}

export interface HostProcessOptions {
  /** In the data folder: `runs/` holds the records, `homes/` the home of each run. */
  readonly folder: string
  /** Goes before PATH. */
  readonly toolsFolder: string
  readonly remover: Pick<DataRemover, 'setAside' | 'sweep'>
}

/**
 * Keeps the exit code beside the process, and then ends the whole group with whatever the run left in it, itself too.
 * The empty trap lets it outlive a TERM to the group, and children do not inherit it.
 */
const keeper =
  'trap : TERM INT HUP; "$@"; code=$?; echo "$code" > "$ALFRED_EXIT_FILE.new" && mv "$ALFRED_EXIT_FILE.new" "$ALFRED_EXIT_FILE"; kill -KILL 0'

/** What a killed process without an exit file counts as. */
const killedCode = 137

export function createHostProcesses({ folder, toolsFolder, remover }: HostProcessOptions): HostProcesses {
  const placeOf = (name: string): string => join(folder, 'runs', checkedName(name))
  const exitFileOf = (name: string): string => join(placeOf(name), 'exit')
  // Short, since the address of a socket below it may have about a hundred characters.
  const homeOf = (name: string): string =>
    join(folder, 'homes', createHash('sha256').update(checkedName(name)).digest('hex').slice(0, 12))

  const find = async (name: string): Promise<HostProcess | null> => {
    const record = readRecord(placeOf(name))
    if (record === null) return null
    // Looked at before its exit, which it writes just before it ends, together with all that it left.
    const born = bornOf(record.pid)
    const exit = await readFile(exitFileOf(name), 'utf8').catch(() => null)
    const isRunning = isLive(record, born, exit !== null)
    const exitCode = isRunning ? null : exit === null ? killedCode : Number.parseInt(exit, 10)
    return { name, isRunning, exitCode, labels: record.labels, startedAt: record.startedAt }
  }

  return {
    async start(spec, now) {
      const place = placeOf(spec.name)
      const home = homeOf(spec.name)
      for (const made of [place, home]) {
        // What a start left that a crash cut short, or anything else: nobody's home is taken over.
        remover.setAside(made)
        await makeFolder(made)
      }
      const [program = '/bin/sh', ...args] = spec.argv.map((word) => toHostPath(spec, word))
      const child = spawn('/bin/sh', ['-c', keeper, 'alfred-host-run', program, ...args], {
        cwd: hostPathOf(spec, containerPaths.workspace),
        env: { ...environmentOf(spec, toolsFolder), HOME: home, [exitFileName]: exitFileOf(spec.name) },
        detached: true,
        stdio: 'ignore',
      })
      child.on('error', () => undefined)
      child.unref()
      const pid = child.pid ?? 0
      if (pid === 0) throw new Error('the host run could not be started')
      const record = { pid, born: bornOf(pid) ?? 'gone', startedAt: now, labels: spec.labels }
      await writeFile(join(place, 'process.json'), JSON.stringify(record), { mode: 0o600 })
      return { name: spec.name, isRunning: true, exitCode: null, labels: spec.labels, startedAt: now }
    },
    find,
    async list() {
      const names = await readdir(join(folder, 'runs')).catch(() => [])
      const found = await Promise.all(names.filter((name) => runName.test(name)).map(find))
      return found.filter((process) => process !== null)
    },
    signal(name, signal) {
      const record = readRecord(placeOf(name))
      if (record === null) return true
      if (!isLive(record, bornOf(record.pid), existsSync(exitFileOf(name)))) {
        const left = leftOfGroup(record.pid, `${exitFileName}=${exitFileOf(name)}`)
        if (left !== 'ours') return left === 'nothing'
      }
      try {
        process.kill(-record.pid, signal)
      } catch {
        // It ended between the look and the signal.
      }
      return true
    },
    async remove(name) {
      const isEnded = this.signal(name, 'SIGKILL')
      // The record goes last, so that what a crash cuts short is done again.
      remover.setAside(homeOf(name))
      remover.setAside(placeOf(name))
      await remover.sweep()
      return isEnded
    },
  }
}

/** In the environment of all that a run starts, and the same for no other run. */
const exitFileName = 'ALFRED_EXIT_FILE'

/** Where no birth is told, the number may be another's once the exit is known. */
const isLive = (record: z.infer<typeof recordSchema>, born: string | null, hasExit: boolean): boolean =>
  born === record.born && !(hasExit && born === withoutBirth)

/** New, so a link that somebody put there leads nowhere; nor may the folder around it be one. */
async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  if (!(await lstat(parent)).isDirectory()) throw new Error(`${parent} is a link, which is not followed`)
  await mkdir(path, { mode: 0o700 })
}

function readRecord(place: string): z.infer<typeof recordSchema> | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(place, 'process.json'), 'utf8')))
  } catch {
    return null
  }
}

const runName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,120}$/

function checkedName(name: string): string {
  if (!runName.test(name)) throw new Error(`not the name of a host run: ${JSON.stringify(name)}`)
  return name
}

/** Where a place of the container lies on this computer. */
function hostPathOf(spec: ContainerSpec, target: string): string {
  const mount = spec.mounts.find((candidate) => candidate.target === target)
  if (mount?.kind !== 'bind') throw new Error(`a host run has no ${target}`)
  return mount.source
}

/** A word of the command or the environment that is a place in the container, or lies below one. */
function toHostPath(spec: ContainerSpec, word: string): string {
  const mount = spec.mounts.find(
    ({ kind, target }) => kind === 'bind' && (word === target || word.startsWith(`${target}/`)),
  )
  return mount?.kind === 'bind' ? mount.source + word.slice(mount.target.length) : word
}

/** Nothing of the app's own environment but PATH and language: it may hold tokens. */
function environmentOf(spec: ContainerSpec, toolsFolder: string): Readonly<Record<string, string>> {
  const own = Object.fromEntries(
    Object.entries(spec.environment).map(([name, value]) => [name, toHostPath(spec, value)]),
  )
  return {
    ...own,
    PATH: [toolsFolder, process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter),
    ALFRED_RUNNER: 'host',
    ALFRED_WORKSPACE_FOLDER: hostPathOf(spec, containerPaths.workspace),
    ALFRED_REPOSITORY: hostPathOf(spec, containerPaths.repository),
    ALFRED_IN_FOLDER: hostPathOf(spec, containerPaths.input),
    ALFRED_OUT_FOLDER: hostPathOf(spec, containerPaths.output),
  }
}
