import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mailbox } from '@shared/model/records'
import type { RunUid } from '@shared/model/ids'
import { ok } from '@shared/result'
import { createApiAdapter } from '@main/adapters/agents/api/api-adapter'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { createAgentAdapters } from '@main/adapters/agents/agent-adapters'
import { createDisk } from '@main/adapters/disk/disk'
import { createSessionStates } from '@main/adapters/session-state/session-states'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import { initialSessionFields } from '@main/core/session/resolve-session'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { EngineInfo } from '@main/ports/container-runtime'
import { createAgentCredentials } from '@main/services/agents/agent-credentials'
import { createDataPaths } from '@main/services/runs/data-paths'
import { resolveRunSession } from '@main/services/runs/resolve-run-session'
import { loadRunContext, type RunContext } from '@main/services/runs/run-context'
import type { RunParts } from '@main/services/runs/run-parts'
import { buildStartSpec, startCommandOf } from '@main/services/runs/start-container'
import { createSettingReader } from '@main/services/settings/setting-values'
import { openTestStore, type TestStore } from '../fakes/open-test-store'
import { goldenOnHost, goldenRequest, goldenRow } from '../fakes/golden-request'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../fakes/seed-mailbox'

/*
 * Design 5.1: where sessions do not apply, for whatever reason, the request, the mounts and the row are those of the
 * golden one that was made with the setting off. Everything here would resume if the one condition did not speak
 * against it: there is an earlier session of the same adapter, and its state.
 */

const priorIds = ['11111111-1111-4111-8111-111111111111', 'ses_dd88cb82bffevRdfFw1ELaLIKb'] as const
const priorIdOf = ({ sessionIdPattern }: AgentAdapter): string =>
  priorIds.find((id) => sessionIdPattern.test(id)) ?? 'none'
const uid = '01990000-0000-7000-8000-000000000000' as RunUid

interface Off {
  readonly settings?: readonly (readonly ['app' | 'organization' | 'project', boolean])[]
  readonly installation?: { readonly resumable: boolean } | null
  readonly credentialAt?: (adapter: AgentAdapter) => string
  readonly cannotResume?: boolean
  readonly runner?: 'host'
  readonly kind?: 'merge_request'
  readonly reason: string
}

const conditions: Readonly<Record<string, Off>> = {
  'switched off for the app': { settings: [['app', false]], reason: 'switched_off_app' },
  'switched off for the organization': {
    settings: [['organization', false]],
    reason: 'switched_off_organization',
  },
  'switched off for the project, on for all others': {
    settings: [
      ['app', true],
      ['organization', true],
      ['project', false],
    ],
    reason: 'switched_off_project',
  },
  'a version that is not verified': {
    installation: { resumable: false },
    reason: 'version_not_verified',
  },
  'a version that is not known': { installation: null, reason: 'version_not_verified' },
  'a credential at the state': {
    credentialAt: (adapter) => adapter.sessionStatePath ?? '',
    reason: 'credential_overlap',
  },
  'a credential inside the state': {
    credentialAt: (adapter) => `${adapter.sessionStatePath}/login.json`,
    reason: 'credential_overlap',
  },
  'a credential around the state': {
    credentialAt: (adapter) => adapter.scratchPaths[0] ?? '',
    reason: 'credential_overlap',
  },
  'an adapter that cannot resume': { cannotResume: true, reason: 'adapter_cannot_resume' },
  'the host runner': { runner: 'host', reason: 'host_runner' },
  'a merge request': { kind: 'merge_request', reason: 'merge_request' },
}

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

const adapters: Readonly<Record<string, (off: Off) => AgentAdapter>> = {
  codex: ({ cannotResume }) => ({
    ...createCodexAdapter(),
    ...(cannotResume === true && { resumableSessions: false }),
  }),
  demo: ({ cannotResume }) => ({
    ...createDemoAdapter(),
    ...(cannotResume === true && { resumableSessions: false }),
  }),
  'claude-code': ({ cannotResume }) => ({
    ...createClaudeCodeAdapter(),
    ...(cannotResume === true && { resumableSessions: false }),
  }),
  copilot: ({ cannotResume }) => ({
    ...createCopilotAdapter(),
    ...(cannotResume === true && { resumableSessions: false }),
  }),
  'grok-build': ({ cannotResume }) => ({
    ...createGrokBuildAdapter(),
    ...(cannotResume === true && { resumableSessions: false }),
  }),
  opencode: ({ cannotResume }) => ({
    ...createOpencodeAdapter(),
    ...(cannotResume === true && { resumableSessions: false }),
  }),
  fake: ({ cannotResume }) => ({
    ...createFakeAdapter(),
    ...(cannotResume === true && { resumableSessions: false }),
  }),
}

async function start(off: Off, adapter: AgentAdapter) {
  const { store: real, folder } = opened
  const store = { ...real, installId: () => 'install' }
  const mailboxId = seedMailbox(store)
  store.mailboxes.update(mailboxId, { branchName: 'agent/issue-1-x' }, 1)
  const { projectId } = store.mailboxes.get(mailboxId)
  const scopeIds = {
    app: 0,
    organization: store.forges.getProject(projectId).organizationId,
    project: projectId,
  }
  for (const [scope, isOn] of off.settings ?? [])
    store.settings.set(scope, scopeIds[scope], 'AGENT_SESSION_RESUME', isOn, 1)
  store.settings.set('app', 0, 'GIT_AUTHOR_NAME', 'Bot', 1)
  store.settings.set('app', 0, 'GIT_AUTHOR_EMAIL', 'bot@example.invalid', 1)
  const credential = off.credentialAt?.(adapter) ?? null
  if (credential !== null)
    store.settings.set('app', 0, 'AGENT_CREDENTIAL_MOUNTS', [`${adapter.id}=/secret:${credential}`], 1, 1)

  seedEndedRun(store, mailboxId, { adapter: adapter.id, nativeSessionId: priorIdOf(adapter) })
  const run = seedRun(store, mailboxId, {
    uid,
    adapter: adapter.id,
    phase: adapter.phases?.[0] ?? 'development',
    model: adapter.needsModel === true ? 'some-model' : null,
    runner: off.runner ?? 'container',
  })
  store.runs.update(run.id, { baseSha: 'b'.repeat(40) })
  const attemptId = store.runs.addAttempt(run.id, 10).id
  store.runs.updateAttempt(attemptId, { imageDigest: 'sha256:image' })

  const loaded = loadRunContext(
    {
      store,
      settings: createSettingReader(store),
      adapters: createAgentAdapters([adapter]),
      paths: createDataPaths(folder),
    },
    run.id,
  )
  writeState(loaded.statePath, adapter)
  const context: RunContext = {
    ...loaded,
    mailbox: asKind(loaded.mailbox, off.kind),
    workspacePath: '/data/workspace',
    repositoryPath: '/data/repo.git',
  }
  const installation = off.installation === undefined ? { resumable: true } : off.installation
  const randomness = createSystemRandomness()
  const nothingThere = {
    look: () => Promise.resolve({ type: 'missing' } as const),
    handOver: () => Promise.resolve(),
    pathOf: (path: string) => Promise.resolve(path),
  }
  const credentials = createAgentCredentials({
    secrets: { read: () => Promise.resolve(ok(null)) },
    files: nothingThere,
    sandboxFiles: { ensureFolder: () => Promise.resolve() },
    paths: createDataPaths(folder),
    clock: { now: () => 0 },
    user: { uid: 1000, gid: 1000 },
  })
  const { plan } = await resolveRunSession(
    {
      store,
      randomness,
      states: createSessionStates(createDisk(), { stagingFolder: folder, nativeBinding: undefined }),
      credentials,
    },
    context,
    attemptId,
    installation,
    'agent/issue-1-x',
  )
  const fields = initialSessionFields(plan)
  const session = { ...seedSession(store, run), ...fields }
  const { id: startId } = store.runs.addStart(attemptId, 'first', 10)
  store.runs.updateStart(startId, { askedSessionId: plan.mode === 'resume' ? plan.nativeId : null })
  const facts = {
    context,
    attempt: store.runs.listAttempts(run.id)[0]!,
    start: store.runs.listStarts(attemptId)[0]!,
    session,
    engine: { rootless: false, cpus: 8 } as EngineInfo,
    files: { output: '/data/out' },
    branchExists: true,
  }
  const made: string[] = []
  const parts = {
    store,
    credentials,
    appUser: { uid: 1000, gid: 1000 },
    files: { inputOf: () => '/data/in' },
    sandboxFiles: {
      ensureFolder: (path: string) => Promise.resolve(void made.push(path)),
      fixedFiles: () =>
        Promise.resolve({
          entry: '/app/entry',
          gitConfig: '/app/gitconfig',
          passwd: '/data/passwd',
          group: '/data/group',
        }),
    },
  } as unknown as RunParts
  const spec = await buildStartSpec(parts, facts)
  if (!spec.ok) throw new Error(spec.error)
  return { plan, fields, made, command: startCommandOf(facts), spec: spec.value, credential }
}

/** What the earlier session left: it could be resumed. */
function writeState(folder: string, adapter: AgentAdapter): void {
  const file = join(folder, adapter.sessionFile(priorIdOf(adapter)) ?? 'x')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{"turn":1}\n')
}

const asKind = (mailbox: Mailbox, kind: Mailbox['kind'] = 'issue'): Mailbox => ({ ...mailbox, kind })

describe.each(Object.keys(adapters))('%s', (name) => {
  it('would resume if nothing spoke against it', async () => {
    const adapter = adapters[name]!({ reason: '' })
    const started = await start({ reason: '' }, adapter)
    expect(started.plan).toMatchObject({ mode: 'resume', nativeId: priorIdOf(adapter) })
    expect(JSON.stringify(started.command)).toContain(priorIdOf(adapter))
    expect(started.spec.mounts.map(({ target }) => target)).toContain(adapter.sessionStatePath)
  })

  it.each(Object.entries(conditions))('with %s starts as without the feature', async (_, off) => {
    const adapter = adapters[name]!(off)
    const { plan, fields, made, command, spec, credential } = await start(off, adapter)
    expect(plan).toEqual({ mode: 'none', offReason: off.reason })
    // The mount of the credential, and what leads to it, is what the condition is about; all else is golden.
    const isOwn = ({ target, purpose }: { readonly target: string; readonly purpose: string }): boolean =>
      target === credential ||
      (purpose === 'between two mounts' && credential?.startsWith(`${target}/`) === true)
    const expected = off.runner === 'host' ? goldenOnHost(name) : goldenRequest(name)
    expect({ command, spec: { ...spec, mounts: spec.mounts.filter((mount) => !isOwn(mount)) } }).toEqual({
      ...expected,
      spec: { ...expected.spec, mounts: expected.spec.mounts.filter((mount) => !isOwn(mount)) },
    })
    expect(fields).toMatchObject(goldenRow())
    expect(made).toEqual(['/data/workspace'])
  })
})

describe('the api mode, which keeps no session', () => {
  const adapter = createApiAdapter({ program: { 'alfred-api-agent.mjs': 'the program' } })
  const withoutState = Object.entries(conditions).filter(([, { credentialAt }]) => credentialAt === undefined)

  it.each<readonly [string, Off]>([
    ['with nothing that speaks against a session', { reason: 'adapter_cannot_resume' }],
    ...withoutState,
  ])('%s starts as ever', async (_, off) => {
    const { plan, fields, made, command, spec } = await start(off, adapter)
    const isOther = off.runner === 'host' || off.kind === 'merge_request'
    expect(plan).toEqual({ mode: 'none', offReason: isOther ? off.reason : 'adapter_cannot_resume' })
    expect({ command, spec }).toEqual(off.runner === 'host' ? goldenOnHost('api') : goldenRequest('api'))
    expect(fields).toMatchObject(goldenRow())
    expect(made).toEqual(['/data/workspace'])
  })
})
