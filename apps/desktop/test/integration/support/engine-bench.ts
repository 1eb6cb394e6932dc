import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createDockerRuntime } from '@main/adapters/container/docker/docker-runtime'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { createSystemClock } from '@main/adapters/system/system-clock'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { createEngine, type Engine } from '@main/boot/compose'
import type { AroundPort, EngineOptions } from '@main/boot/engine-options'
import { createEngineClient, type EngineClient } from '@main/cli/engine-client'
import { sandboxLabels } from '@main/core/sandbox/sandbox-spec'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { Clock } from '@main/ports/clock'
import type { ContainerState } from '@main/ports/container-runtime'
import type { NotificationMessage } from '@main/ports/notifications'
import type { RunDetail } from '@shared/contract/runs'
import type { SessionRecord } from '@shared/contract/sessions'
import type { MailboxId, ProjectId, ResumeChoice, RunId } from '@shared/model/ids'
import type { SettingKey } from '@shared/model/settings'
import type { Phase } from '@shared/model/words'
import type { Result } from '@shared/result'
import { resourcesFolder } from './agent-container'

/*
 * The whole engine on a data folder of its own, with real Docker and real git; nothing but the agents is scripted.
 */

export interface EngineBench {
  readonly folder: string
  readonly client: EngineClient
  readonly projectId: ProjectId
  readonly shown: readonly NotificationMessage[]
  /** An issue assigned to Alfred; returns its mailbox once it is taken up. */
  newIssue(body?: string): Promise<MailboxId>
  /** Sets it for the project, with consent to what it means. */
  setting(key: SettingKey, value: unknown): Promise<void>
  request(mailboxId: MailboxId, phase: Phase, resumeChoice?: ResumeChoice): Promise<RunId>
  /** The run once it is in one of these states. */
  runIn(runId: RunId, ...states: readonly string[]): Promise<RunDetail>
  ended(runId: RunId): Promise<RunDetail>
  /** Requests a run and waits for its end. */
  run(mailboxId: MailboxId, phase: Phase, resumeChoice?: ResumeChoice): Promise<RunDetail>
  /** The latest run of the mailbox, once it has ended. */
  latest(mailboxId: MailboxId): Promise<RunDetail>
  sessions(mailboxId: MailboxId): Promise<readonly SessionRecord[]>
  /** Asks again at every change until there is an answer. */
  until<T>(look: () => Promise<T | null>): Promise<T>
  texts(runId: RunId, kind: string): Promise<readonly string[]>
  stateFolder(iid: number, adapter: string): string
  /** Ends the engine and leaves its data, for another one to start on. */
  stopEngine(containers?: 'keep' | 'stop'): Promise<void>
  remove(): Promise<void>
}

export interface BenchOptions {
  readonly adapters?: readonly AgentAdapter[]
  readonly adapter?: 'demo' | 'fake' | 'claude-code'
  /** See EngineOptions. */
  readonly aroundPort?: AroundPort
  readonly clock?: Clock
}

export function value<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

export async function startTestEngine(
  folder: string,
  adapters: readonly AgentAdapter[],
  shown: NotificationMessage[] = [],
  {
    aroundPort,
    clock,
    keyring,
  }: Pick<BenchOptions, 'aroundPort' | 'clock'> & Pick<EngineOptions, 'keyring'> = {},
): Promise<Engine> {
  return value(
    await createEngine({
      dataFolder: folder,
      kind: 'headless',
      resourcesFolder,
      version: '0.0.0-test',
      notifier: { show: (message) => void shown.push(message) },
      work: 'works',
      allowsDemonstration: true,
      adapters,
      checkOutput: true,
      // The one that the tests read the database with: locks of two SQLites in one process do not see each other.
      nativeBinding: findNativeBinding(process.env, undefined),
      ...(aroundPort === undefined ? {} : { aroundPort }),
      ...(clock === undefined ? {} : { clock }),
      ...(keyring === undefined ? {} : { keyring }),
    }),
  )
}

export const clientOf = (engine: Engine): EngineClient =>
  createEngineClient({
    invoke: (channel, input) => engine.dispatch.invoke(channel, input),
    subscribe: (channel, key, listener) =>
      Promise.resolve(value(engine.dispatch.subscribe(channel, key, listener))),
    close: () => engine.stop('keep'),
  })

export async function createEngineBench(options: BenchOptions = {}): Promise<EngineBench> {
  const adapters = options.adapters ?? [createDemoAdapter({ environment: { DEMO_PACE: '0' } })]
  const folder = await mkdtemp(join(tmpdir(), 'alfred-engine-'))
  const shown: NotificationMessage[] = []
  const engine = await startTestEngine(folder, adapters, shown, options)
  const client = clientOf(engine)
  const project = value(
    await client.call('tracker', 'createProject', {
      organization: 'test',
      name: 'boat',
      source: { kind: 'empty' },
    }),
  )
  const setting = async (key: SettingKey, set: unknown): Promise<void> =>
    void value(
      await client.call('settings', 'set', {
        scope: 'project',
        scopeId: project.id,
        key,
        value: set,
        consent: true,
      }),
    )
  await setting('AGENT_ADAPTER', options.adapter ?? 'demo')
  const watch = createWatch(client)

  const bench: EngineBench = {
    folder,
    client,
    projectId: project.id,
    shown,
    setting,
    until: watch.until,
    async newIssue(body = '') {
      const issue = value(
        await client.call('tracker', 'createIssue', {
          projectId: project.id,
          title: 'Add a slug helper',
          body,
          assignees: ['alfred'],
        }),
      )
      const found = await watch.until(async () =>
        value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: issue.iid })),
      )
      return found.mailboxId
    },
    async request(mailboxId, phase, resumeChoice = 'auto') {
      return value(await client.call('runs', 'request', { mailboxId, phase, resumeChoice })).runId
    },
    runIn: (runId, ...states) =>
      watch.until(async () => {
        const detail = value(await client.call('runs', 'get', { runId }))
        return states.includes(detail.row.state) ? detail : null
      }),
    ended: (runId) => bench.runIn(runId, 'ended'),
    run: async (mailboxId, phase, resumeChoice) =>
      bench.ended(await bench.request(mailboxId, phase, resumeChoice)),
    latest: (mailboxId) =>
      watch.until(async () => {
        const page = value(
          await client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 }),
        )
        const row = page.rows.at(-1)
        return row?.state === 'ended' ? value(await client.call('runs', 'get', { runId: row.runId })) : null
      }),
    sessions: async (mailboxId) => value(await client.call('sessions', 'records', { mailboxId, limit: 100 })),
    async texts(runId, kind) {
      const { events } = value(
        await client.call('runs', 'events', { runId, afterSeq: 0, beforeSeq: null, limit: 1000 }),
      )
      return events.filter((event) => event.kind === kind).map((event) => event.payload.text ?? '')
    },
    stateFolder: (iid, adapter) =>
      join(folder, '.agent-sessions', `test-${project.id}-issue-${iid}`, adapter),
    stopEngine: (containers = 'keep') => engine.stop(containers),
    async remove() {
      await engine.stop('stop')
      await removeFolder(folder)
    },
  }
  return bench
}

/** Looks again whenever something changed; the timer is for what changes without a word. */
export function createWatch(client: EngineClient) {
  return {
    async until<T>(look: () => Promise<T | null>): Promise<T> {
      let wake: () => void = () => undefined
      const end = await client.follow('app', 'changes', null, () => wake())
      try {
        for (;;) {
          const changed = new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, 500)
            wake = () => (clearTimeout(timer), resolve())
          })
          const found = await look()
          if (found !== null) return found
          await changed
        }
      } finally {
        end()
      }
    },
  }
}

/** Containers of exactly this run: the labels of other engines on this computer may be the same but for its uid. */
export async function containersOfRun(
  client: EngineClient,
  runId: RunId,
): Promise<readonly ContainerState[]> {
  const { folder } = value(await client.call('runs', 'get', { runId }))
  return value(await testDocker().listByLabel(sandboxLabels.run, basename(folder)))
}

export const testDocker = () =>
  createDockerRuntime({ endpointSetting: () => null, clock: createSystemClock(), labels: {} })

/** The agent's files belong to another user, who may have taken rights away. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3 })
