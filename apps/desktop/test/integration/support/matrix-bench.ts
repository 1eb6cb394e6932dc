import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createStore } from '@main/adapters/db/create-store'
import { createSystemClock } from '@main/adapters/system/system-clock'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { EngineClient } from '@main/cli/engine-client'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { Clock } from '@main/ports/clock'
import type { ContainerRuntime, ContainerSpec, ImageInfo } from '@main/ports/container-runtime'
import type { RunDetail } from '@shared/contract/runs'
import type { SessionRecord } from '@shared/contract/sessions'
import type { TrackerIssue } from '@shared/contract/tracker'
import type { MailboxId, ProjectId, ResumeChoice, RunId } from '@shared/model/ids'
import type { SettingKey, SettingScope } from '@shared/model/settings'
import type { Phase } from '@shared/model/words'
import { ok } from '@shared/result'
import { createFakeContainerRuntime, type FakeExit } from '../../fakes/fake-container-runtime'
import { openEngineDatabase } from './engine-database'
import { clientOf, createWatch, removeFolder, startTestEngine, value } from './engine-bench'
import {
  replayedCli,
  replayedNames,
  type Recording,
  type ReplayedCli,
  type ReplayedName,
} from './replayed-clis'

/*
 * The whole engine with every agent CLI of it: real database, git, forge and files. Only the engine of containers is
 * one in memory, and what would run in a container is replayed, so that each row of the matrix costs little.
 */

/** What the CLI does at the starts for one issue; what is left out is played as it was recorded when it went well. */
export interface Play {
  readonly fresh?: Recording
  readonly resumed?: Recording
  /** It goes on until it is stopped: once it has told its id, or once it has said all. */
  readonly hangs?: 'told' | 'said'
  /** It ends when the time of the run is over, to the container's clock. */
  readonly endsLate?: true
  /** It makes one commit on the issue's branch. */
  readonly commits?: true
}

/** One start of a CLI, as it came to its container. */
export interface Start {
  readonly spec: ContainerSpec
  readonly runner: 'container' | 'host'
  readonly prompt: string
  /** Files of `in/` beside the prompt. */
  readonly files: Readonly<Record<string, string>>
}

export type Capability = 'verified' | 'not_verified' | 'none'

export interface MatrixIssue {
  readonly mailboxId: MailboxId
  readonly projectId: ProjectId
  readonly iid: number
}

export interface MatrixBench {
  readonly folder: string
  readonly client: EngineClient
  /** An issue of a project that is set to this CLI, once its first run has ended. */
  newIssue(name: ReplayedName, title?: string): Promise<MatrixIssue>
  /** A merge request of the same project, as a mailbox: nothing of the workflow makes one yet. */
  addMergeRequest(issue: MatrixIssue): MailboxId
  play(issue: MatrixIssue, play: Play): void
  run(issue: MatrixIssue, phase: Phase, resumeChoice?: ResumeChoice): Promise<RunDetail>
  request(issue: MatrixIssue, phase: Phase, resumeChoice?: ResumeChoice): Promise<RunId>
  ended(runId: RunId): Promise<RunDetail>
  /** Until the run's session is known by its id. */
  telling(runId: RunId): Promise<void>
  sessions(issue: MatrixIssue): Promise<readonly SessionRecord[]>
  starts(issue: MatrixIssue): readonly Start[]
  /** Sets it with consent to what it means. */
  setting(issue: MatrixIssue, scope: SettingScope, key: SettingKey, value: unknown): Promise<void>
  reset(issue: MatrixIssue, scope: SettingScope, key: SettingKey): Promise<void>
  /** The wall clock is so much later at once, as after a sleep. */
  leap(ms: number): void
  can(name: ReplayedName, capability: Capability): void
  /** The issue as people see it, once nothing waits to be posted. */
  onForge(issue: MatrixIssue): Promise<TrackerIssue>
  stateFolder(issue: MatrixIssue, name: ReplayedName): string
  until<T>(look: () => Promise<T | null>): Promise<T>
  /** Ends the engine and leaves its data. */
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Longer than any run may take. */
const lateMs = 48 * 3_600_000

export interface MatrixOptions {
  /** What `--version` prints, where it is another version than the one that was recorded. */
  readonly versions?: Partial<Readonly<Record<ReplayedName, string>>>
  /** Images that are there by the names that they have, so that they are not built. */
  readonly images?: Readonly<Record<string, ImageInfo>>
}

/** Without names: with every CLI. Without a folder: in one of its own. */
export async function createMatrixBench(
  names: readonly ReplayedName[] = replayedNames,
  given?: string,
  { versions = {}, images = {} }: MatrixOptions = {},
): Promise<MatrixBench> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'alfred-matrix-')))
  const plays = new Map<string, Play>()
  const started = new Map<string, Start[]>()
  const capabilities = new Map<ReplayedName, Capability>()
  const adapters = names.map((name) => capable(replayedCli(name), () => capabilities.get(name)))

  const real = createSystemClock()
  let leaptMs = 0
  const clock = { ...real, now: () => real.now() + leaptMs }

  const defects: unknown[] = []

  const runtimeOf = (runner: Start['runner']): ContainerRuntime => {
    const runtime = createFakeContainerRuntime({
      now: clock.now,
      // What runs on the host is in no image.
      images: runner === 'host' ? [''] : [],
      program: (spec, stopped) => {
        const mailbox = spec.labels['dev.alfred.mailbox'] ?? ''
        const cli = replayedCli(spec.labels['dev.alfred.adapter'] as ReplayedName)
        started.set(mailbox, [...(started.get(mailbox) ?? []), startOf(spec, runner)])
        return replay({ cli, spec, play: plays.get(mailbox) ?? {}, stopped, clock }).catch(
          (defect: unknown) => {
            defects.push(defect)
            throw defect
          },
        )
      },
    })
    for (const [reference, image] of Object.entries(images)) runtime.addImage(reference, image)
    runtime.answerOnce((argv) => {
      const name = names.find(
        (candidate) => replayedCli(candidate).create().versionCommand.join(' ') === argv.join(' '),
      )
      const version = name && (versions[name] ?? replayedCli(name).version)
      return ok({ exitCode: name ? 0 : 127, stdout: version ?? '', stderr: '' })
    })
    return runtime
  }
  const runtimes = { docker: runtimeOf('container'), host: runtimeOf('host') }
  const engine = await startTestEngine(folder, adapters, [], {
    clock,
    aroundPort: (name, port) =>
      name === 'docker' || name === 'host' ? (runtimes[name] as unknown as typeof port) : port,
  })
  const client = clientOf(engine)
  const { until } = createWatch(client)
  value(await client.call('settings', 'set', { scope: 'app', scopeId: 0, key: 'MAX_RUNS', value: 16 }))
  const projects = new Map<ReplayedName, Promise<ProjectId>>()

  const projectOf = (name: ReplayedName): Promise<ProjectId> => {
    const known = projects.get(name)
    if (known !== undefined) return known
    const made = makeProject(client, name)
    projects.set(name, made)
    return made
  }
  const scopeIdOf = async ({ projectId }: MatrixIssue, scope: SettingScope): Promise<number> => {
    if (scope === 'app') return 0
    if (scope === 'project') return projectId
    const scopes = value(await client.call('settings', 'scopes', {}))
    const at = scopes.findIndex((row) => row.scope === 'project' && row.scopeId === projectId)
    return scopes.slice(0, at).findLast((row) => row.scope === 'organization')?.scopeId ?? 0
  }
  const ended = (runId: RunId): Promise<RunDetail> =>
    until(async () => {
      if (defects.length > 0) throw defects[0]
      const detail = value(await client.call('runs', 'get', { runId }))
      return detail.row.state === 'ended' ? detail : null
    })

  const bench: MatrixBench = {
    folder,
    client,
    until,
    ended,
    async newIssue(name, title = 'Add a slug helper') {
      const projectId = await projectOf(name)
      const { iid } = value(
        await client.call('tracker', 'createIssue', {
          projectId,
          title,
          body: 'Please.',
          assignees: ['alfred'],
        }),
      )
      const projectPath = `of-${name}/boat`
      const { mailboxId } = await until(async () =>
        value(await client.call('mailboxes', 'find', { projectPath, iid })),
      )
      const issue = { mailboxId, projectId, iid }
      const first = await until(async () => {
        const input = { mailboxId, beforeRunId: null, limit: 1 }
        return value(await client.call('sessions', 'timeline', input)).rows.at(-1) ?? null
      })
      await ended(first.runId)
      return issue
    },
    addMergeRequest({ projectId, iid }) {
      const db = openEngineDatabase(folder)
      try {
        const mailbox = { projectId, kind: 'merge_request', iid, title: 'A change of others' } as const
        return createStore(db, createSystemRandomness()).mailboxes.ensure(mailbox, clock.now()).id
      } finally {
        db.close()
      }
    },
    play: ({ mailboxId }, play) => void plays.set(String(mailboxId), play),
    request: async ({ mailboxId }, phase, resumeChoice = 'auto') =>
      value(await client.call('runs', 'request', { mailboxId, phase, resumeChoice })).runId,
    run: async (issue, phase, resumeChoice) => ended(await bench.request(issue, phase, resumeChoice)),
    telling: (runId) =>
      until(async () => {
        const { row } = value(await client.call('runs', 'get', { runId }))
        return row.nativeSessionId === null ? null : true
      }).then(() => undefined),
    sessions: async ({ mailboxId }) =>
      value(await client.call('sessions', 'records', { mailboxId, limit: 100 })),
    starts: ({ mailboxId }) => started.get(String(mailboxId)) ?? [],
    async setting(issue, scope, key, set) {
      const scopeId = await scopeIdOf(issue, scope)
      value(await client.call('settings', 'set', { scope, scopeId, key, value: set, consent: true }))
    },
    async reset(issue, scope, key) {
      value(await client.call('settings', 'reset', { scope, scopeId: await scopeIdOf(issue, scope), key }))
    },
    leap: (ms) => void (leaptMs += ms),
    can: (name, capability) => void capabilities.set(name, capability),
    onForge: ({ projectId, iid }) =>
      until(async () => {
        const { outboxWaiting } = value(await client.call('app', 'status', {}))
        return outboxWaiting === 0
          ? value(await client.call('tracker', 'getIssue', { projectId, iid }))
          : null
      }),
    stateFolder: ({ projectId, iid }, name) =>
      join(folder, '.agent-sessions', `of-${name}-${projectId}-issue-${iid}`, name),
    stop: () => engine.stop('stop'),
    async remove() {
      await engine.stop('stop')
      await removeFolder(folder)
    },
  }
  return bench
}

async function makeProject(client: EngineClient, name: ReplayedName): Promise<ProjectId> {
  const project = value(
    await client.call('tracker', 'createProject', {
      organization: `of-${name}`,
      name: 'boat',
      source: { kind: 'empty' },
    }),
  )
  const set = async (key: SettingKey, to: string): Promise<unknown> =>
    value(await client.call('settings', 'set', { scope: 'project', scopeId: project.id, key, value: to }))
  if (replayedCli(name).create().needsModel === true) await set('AGENT_MODEL', 'some-model')
  await set('AGENT_ADAPTER', name)
  return project.id
}

/** The real adapter, signed in, whose capability can be taken from it. */
function capable({ create }: ReplayedCli, now: () => Capability | undefined): AgentAdapter {
  const real = create()
  return {
    ...real,
    login: null,
    get resumableSessions() {
      return real.resumableSessions && now() !== 'none'
    },
    get resumeVersions() {
      return now() === 'not_verified' ? [] : real.resumeVersions
    },
  }
}

function startOf(spec: ContainerSpec, runner: Start['runner']): Start {
  const input = sourceOf(spec, '/alfred/in')
  const names = readdirSync(input)
  const read = (name: string): string => readFileSync(join(input, name), 'utf8')
  const files = names.filter((name) => name !== 'prompt' && name !== 'issue.sha256')
  return {
    spec,
    runner,
    prompt: read('prompt'),
    files: Object.fromEntries(files.map((name) => [name, read(name)])),
  }
}

const sourceOf = (spec: ContainerSpec, target: string): string => {
  const mount = spec.mounts.find((candidate) => candidate.target === target)
  if (mount?.kind !== 'bind') throw new Error(`nothing is mounted at ${target}`)
  return mount.source
}

interface Replay {
  readonly cli: ReplayedCli
  readonly spec: ContainerSpec
  readonly play: Play
  readonly stopped: AbortSignal
  readonly clock: Pick<Clock, 'now'>
}

async function replay({ cli, spec, play, stopped, clock }: Replay): Promise<FakeExit> {
  const asked = cli.askedId(spec.argv)
  const recording = asked === null ? (play.fresh ?? cli.fresh) : (play.resumed ?? cli.resumed)
  const id = asked ?? chosenId(cli, spec.argv) ?? cli.newId()
  if (recording.exitCode === 0 || play.hangs !== undefined) save(cli, spec, id)
  appendFileSync(sourceOf(spec, '/alfred/out/stream.err'), withId(recording.stderr, recording.id, id))
  const stdout = withId(recording.stdout, recording.id, id)
  appendFileSync(
    sourceOf(spec, '/alfred/out/stream.out'),
    play.hangs === 'told' ? beginning(stdout, id) : stdout,
  )
  if (play.hangs !== undefined) await aborted(stopped)
  const out = sourceOf(spec, '/alfred/out')
  const work =
    play.commits === true ? commit(spec, out) : { head: spec.environment['ALFRED_BASE'], commits: 0 }
  writeFileSync(
    join(out, 'status.json'),
    JSON.stringify({ version: 1, ...work, kept: 'none', terminated: stopped.aborted }),
  )
  return {
    exitCode: stopped.aborted ? 143 : recording.exitCode,
    ...(play.endsLate === true ? { endedAt: clock.now() + lateMs } : {}),
  }
}

/** The id that Alfred gave the session that begins. */
function chosenId({ create }: ReplayedCli, argv: readonly string[]): string | null {
  const { sessionIdPattern } = create()
  return (
    argv.map((word) => word.slice(word.indexOf('=') + 1)).find((word) => sessionIdPattern.test(word)) ?? null
  )
}

const withId = (text: string, recorded: string | null, id: string): string =>
  recorded === null ? text : text.replaceAll(recorded, id)

/** Up to the first line that names the session: what a CLI has printed when it is cut off. */
function beginning(stdout: string, id: string): string {
  const lines = stdout.split('\n')
  const at = lines.findIndex((line) => line.includes(id))
  return `${lines.slice(0, at + 1).join('\n')}\n`
}

function save(cli: ReplayedCli, spec: ContainerSpec, id: string): void {
  const { sessionStatePath } = cli.create()
  const folder = spec.mounts.find(({ target }) => target === sessionStatePath)
  if (folder?.kind !== 'bind') return
  const parts = cli.stateFile(id).split('/')
  const paths = parts.map((_, index) => join(folder.source, ...parts.slice(0, index + 1)))
  mkdirSync(dirname(paths.at(-1) ?? ''), { recursive: true })
  appendFileSync(paths.at(-1) ?? '', '{"turn":1}\n')
  // In a container nobody but the run's user writes there.
  if (process.getuid?.() === 0) for (const path of paths) chownSync(path, spec.user.uid, spec.user.gid)
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** As the entry hands a commit out: a bundle of the issue's branch, from its base. */
function commit(spec: ContainerSpec, out: string): { readonly head: string; readonly commits: number } {
  const { ALFRED_BRANCH: branch = '', ALFRED_BASE: base = '' } = spec.environment
  const clone = mkdtempSync(join(tmpdir(), 'alfred-commit-'))
  const git = (...words: readonly string[]): string =>
    execFileSync(
      'git',
      ['-C', clone, '-c', 'user.name=Bot', '-c', 'user.email=bot@example.invalid', ...words],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ).trim()
  try {
    git('clone', '--quiet', '--no-checkout', sourceOf(spec, '/alfred/repo.git'), '.')
    git('checkout', '--quiet', '-B', branch, base)
    writeFileSync(join(clone, 'one.txt'), `${spec.name}\n`)
    git('add', 'one.txt')
    git('commit', '--quiet', '-m', 'Add one.txt')
    git('bundle', 'create', '--quiet', join(out, 'commits.bundle'), `refs/heads/${branch}`, `^${base}`)
    return { head: git('rev-parse', 'HEAD'), commits: 1 }
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}
