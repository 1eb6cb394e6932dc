import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import { containerPaths } from '@main/core/sandbox/container-paths'
import { sandboxLabels } from '@main/core/sandbox/sandbox-spec'
import type { ContainerSpec } from '@main/ports/container-runtime'

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
  /** To the whole process group. Nothing happens when it has ended. */
  signal(name: string, signal: 'SIGTERM' | 'SIGKILL'): void
  remove(name: string): Promise<void>
}

/** Keeps the exit code beside the process. The empty trap lets it outlive a TERM to the group, and children do not inherit it. */
const keeper =
  'trap : TERM INT HUP; "$@"; code=$?; echo "$code" > "$ALFRED_EXIT_FILE.new" && mv "$ALFRED_EXIT_FILE.new" "$ALFRED_EXIT_FILE"'

/** What a killed process without an exit file counts as. */
const killedCode = 137

export function createHostProcesses(folder: string, toolsFolder: string): HostProcesses {
  const placeOf = (name: string): string => join(folder, 'runs', checkedName(name))

  const find = async (name: string): Promise<HostProcess | null> => {
    const record = readRecord(placeOf(name))
    if (record === null) return null
    const exit = await readFile(join(placeOf(name), 'exit'), 'utf8').catch(() => null)
    const isRunning = exit === null && bornOf(record.pid) === record.born
    const exitCode = isRunning ? null : exit === null ? killedCode : Number.parseInt(exit, 10)
    return { name, isRunning, exitCode, labels: record.labels, startedAt: record.startedAt }
  }

  return {
    async start(spec, now) {
      const place = placeOf(spec.name)
      const home = join(
        folder,
        'homes',
        `mailbox-${checkedName(spec.labels[sandboxLabels.mailbox] ?? 'none')}`,
      )
      await mkdir(place, { recursive: true, mode: 0o700 })
      await mkdir(home, { recursive: true, mode: 0o700 })
      const [program = '/bin/sh', ...args] = spec.argv.map((word) => toHostPath(spec, word))
      const child = spawn('/bin/sh', ['-c', keeper, 'alfred-host-run', program, ...args], {
        cwd: hostPathOf(spec, containerPaths.workspace),
        env: { ...environmentOf(spec, toolsFolder), HOME: home, ALFRED_EXIT_FILE: join(place, 'exit') },
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
      const found = await Promise.all(names.map(find))
      return found.filter((process) => process !== null)
    },
    signal(name, signal) {
      const record = readRecord(placeOf(name))
      if (record === null || bornOf(record.pid) !== record.born) return
      try {
        process.kill(-record.pid, signal)
      } catch {
        // It ended between the look and the signal.
      }
    },
    async remove(name) {
      this.signal(name, 'SIGKILL')
      await rm(placeOf(name), { recursive: true, force: true })
    },
  }
}

function readRecord(place: string): z.infer<typeof recordSchema> | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(place, 'process.json'), 'utf8')))
  } catch {
    return null
  }
}

/** When a process began, in the system's own words; null when it has ended. Where there is no /proc: whether it is there. */
function bornOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    if (process.platform === 'linux') return null
  }
  try {
    process.kill(pid, 0)
    return 'there'
  } catch {
    return null
  }
}

function checkedName(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,120}$/.test(name))
    throw new Error(`not the name of a host run: ${JSON.stringify(name)}`)
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
