import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAgentAdapters } from '@main/adapters/agents/agent-adapters'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import type { Project } from '@shared/model/records'
import type { BuiltImage, Installation, Store } from '../../ports/stores'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { credentialMountsOf, credentialOverlap } from '../../core/sandbox/credential-mounts'
import { createChangeFeed } from '../status/change-feed'
import type { CredentialScope, LoginFacts, LoginLook } from './agent-credentials'
import { createAgentsService } from './agents-service'

const now = 1_000_000
let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

const installed: Installation = {
  adapter: 'claude-code',
  runner: 'container',
  imageDigest: 'sha256:1',
  version: '2.1.332',
  resumable: true,
  reason: null,
  loginState: 'unknown',
  detectedAt: 5,
}

const imageOfRuns: BuiltImage = {
  digest: 'sha256:1',
  tag: 'alfred-agent:1',
  base: 'node:24',
  agents: [],
  sizeBytes: 1,
  recipeSha256: '1',
  builtAt: 1,
}

/** By slug. */
function addProjects<const S extends string>(
  { forges }: Store,
  organization: string,
  ...slugs: readonly S[]
): Readonly<Record<S, Project>> {
  const local = { kind: 'local', name: 'here', baseUrl: 'local:', caFile: null } as const
  const forge =
    forges.findForgeByKind('local') ??
    forges.addForge({ ...local, accountId: '1', accountLogin: 'alfred' }, 1)
  const { id } =
    forges.findOrganization(forge.id, organization) ?? forges.addOrganization(forge.id, organization, 1)
  const place = { organizationId: id, defaultBranch: 'main', isDemo: false, isWatched: true }
  const added = slugs.map((slug) => [slug, forges.addProject({ ...place, slug }, 1)] as const)
  return Object.fromEntries(added) as Record<S, Project>
}

/** `signedIn` says what is found for what is asked. */
function bench(signedIn: (scope: CredentialScope) => LoginLook | Partial<LoginFacts> = () => 'expired') {
  const { store } = opened
  store.images.put(imageOfRuns)
  const asked: CredentialScope[] = []
  const overlapsAsked: (readonly string[])[] = []
  const notAsked = () => Promise.reject(new Error('nobody asks for this here'))
  const service = createAgentsService({
    store,
    clock: createSettableClock(now),
    adapters: createAgentAdapters([createClaudeCodeAdapter()]),
    changes: createChangeFeed(createSettableClock(0)),
    runtime: createFakeContainerRuntime(),
    host: { runOnce: notAsked },
    usesHost: () => false,
    builder: { find: notAsked, ensure: notAsked },
    detection: { detect: notAsked, known: notAsked },
    base: () => null,
    onStatus: () => undefined,
    credentials: {
      loginFacts: async (_adapter, scope) => {
        asked.push(scope)
        const said = signedIn(scope)
        const nothing = { state: 'found', endsAt: null, source: null, mounts: 0 } as const
        return { ...nothing, ...(typeof said === 'string' ? { state: said } : said) }
      },
      overlap: async ({ id, sessionStatePath }, settings) => {
        overlapsAsked.push(settings.AGENT_CREDENTIAL_MOUNTS)
        const mounts = credentialMountsOf(settings.AGENT_CREDENTIAL_MOUNTS, id)
        const inContainer = credentialOverlap(sessionStatePath, mounts)
        if (inContainer !== null) return { ...inContainer, half: 'target' }
        const onHost = mounts.find(({ source }) => source === '/data')
        return onHost === undefined ? null : { ...onHost, half: 'source' }
      },
    },
    probe: { ask: notAsked },
    allowsDemonstration: false,
  })
  return { store, service, asked, overlapsAsked }
}

describe('the installations of the agents screen', () => {
  it('tell the login as it is now, for the provider of the app', async () => {
    const { store, service, asked } = bench()
    store.installations.put(installed)
    store.settings.set('app', 0, 'AGENT_PROVIDER', 'bedrock', 1)
    expect(await service.list()).toMatchObject([
      {
        adapter: 'claude-code',
        version: '2.1.332',
        resumable: true,
        verifiedRange: '2.1.90 to 2.1.332',
        loginState: 'expired',
      },
    ])
    expect(asked).toMatchObject([{ provider: 'bedrock', runner: 'container' }])
  })

  it('tell no login of a CLI that is not there', async () => {
    const { store, service, asked } = bench()
    store.installations.put({ ...installed, version: null, resumable: false })
    expect(await service.list()).toMatchObject([{ version: null, loginState: 'unknown' }])
    expect(asked).toEqual([])
  })

  it('say before a run that a credential mount turns the resume off', async () => {
    const { store, service } = bench()
    store.installations.put(installed)
    store.settings.set('app', 0, 'AGENT_CREDENTIAL_MOUNTS', ['claude-code=/h/c:/home/agent/.claude'], 1, 1)
    expect(await service.list()).toMatchObject([
      {
        resumable: false,
        reason:
          'The credential mount at /home/agent/.claude overlaps the session state, so runs start fresh.',
        projectReasons: [],
      },
    ])
  })

  it('say what half of a mount overlaps, and that the resume is switched off', async () => {
    const { store, service } = bench()
    store.installations.put(installed)
    store.settings.set('app', 0, 'AGENT_CREDENTIAL_MOUNTS', ['claude-code=/data:/home/agent/login'], 1, 1)
    const onHost =
      'credential mount of /data overlaps the session state on this computer, so runs start fresh.'
    expect(await service.list()).toMatchObject([{ resumable: false, reason: `The ${onHost}` }])
    store.settings.set('app', 0, 'AGENT_SESSION_RESUME', false, 1)
    expect(await service.list()).toMatchObject([
      { resumable: false, reason: `AGENT_SESSION_RESUME is off, and the ${onHost}` },
    ])
    store.settings.reset('app', 0, 'AGENT_CREDENTIAL_MOUNTS')
    expect(await service.list()).toMatchObject([
      { resumable: false, reason: 'AGENT_SESSION_RESUME is off, so runs start fresh.' },
    ])
  })
})

const overlapping = ['claude-code=/h/c:/home/agent/.claude']
const overlapWords =
  'the credential mount at /home/agent/.claude overlaps the session state, so runs start fresh.'

describe('what keeps the runs of some projects from resuming', () => {
  it('is said with the project, set for itself or for its organization', async () => {
    const { store, service } = bench()
    store.installations.put(installed)
    const { pier } = addProjects(store, 'harbour', 'pier', 'quay')
    addProjects(store, 'bay', 'shed')
    store.settings.set('project', pier.id, 'AGENT_CREDENTIAL_MOUNTS', overlapping, 1, 1)
    expect(await service.list()).toMatchObject([
      { resumable: true, reason: null, projectReasons: [`In harbour/pier: ${overlapWords}`] },
    ])
    store.settings.reset('project', pier.id, 'AGENT_CREDENTIAL_MOUNTS')
    store.settings.set('organization', pier.organizationId, 'AGENT_CREDENTIAL_MOUNTS', overlapping, 1, 1)
    expect(await service.list()).toMatchObject([
      { resumable: true, projectReasons: [`In harbour/pier, harbour/quay: ${overlapWords}`] },
    ])
  })

  it('is the other way round where a project mends what holds for the app', async () => {
    const { store, service } = bench()
    store.installations.put(installed)
    const { pier } = addProjects(store, 'harbour', 'pier', 'quay')
    store.settings.set('app', 0, 'AGENT_SESSION_RESUME', false, 1)
    store.settings.set('project', pier.id, 'AGENT_SESSION_RESUME', true, 1)
    expect(await service.list()).toMatchObject([
      {
        resumable: false,
        reason: 'AGENT_SESSION_RESUME is off, so runs start fresh.',
        projectReasons: ['In harbour/pier: sessions are resumed.'],
      },
    ])
  })

  it('decides where no project goes by the settings of the app', async () => {
    const { store, service } = bench()
    store.installations.put(installed)
    const { pier } = addProjects(store, 'harbour', 'pier')
    store.settings.set('project', pier.id, 'AGENT_SESSION_RESUME', false, 1)
    const projectReasons = ['In harbour/pier: AGENT_SESSION_RESUME is off, so runs start fresh.']
    expect(await service.list()).toMatchObject([{ resumable: false, reason: null, projectReasons }])
  })

  it('is no word about a CLI that cannot resume anyway, nor of projects that run elsewhere or are not watched', async () => {
    const { store, service } = bench()
    const { pier, quay } = addProjects(store, 'harbour', 'pier', 'quay', 'shed')
    store.settings.set('organization', pier.organizationId, 'AGENT_CREDENTIAL_MOUNTS', overlapping, 1, 1)
    store.settings.set('project', pier.id, 'AGENT_RUNNER', 'host', 1, 1)
    store.forges.setWatched(quay.id, false)
    store.installations.put(installed)
    const [row] = await service.list()
    expect(row?.projectReasons).toEqual([`In harbour/shed: ${overlapWords}`])
    store.installations.put({ ...installed, version: '9.0.0' })
    expect(await service.list()).toMatchObject([
      { reason: expect.stringMatching(/outside the verified range/), projectReasons: [] },
    ])
  })

  it('is looked for once, however many projects say the same, and told in few lines', async () => {
    const { store, service, asked, overlapsAsked } = bench()
    store.installations.put(installed)
    const slugs = Array.from({ length: 40 }, (_, index) => `pier-${10 + index}`)
    const projects = addProjects(store, 'harbour', ...slugs)
    addProjects(store, 'bay', ...slugs)
    for (const [index, slug] of slugs.entries()) {
      const mounts =
        index < 20 ? overlapping : [`claude-code=/h/${index}:/home/agent/.claude/projects/${index}`]
      store.settings.set('project', projects[slug]?.id ?? 0, 'AGENT_CREDENTIAL_MOUNTS', mounts, 1, 1)
    }
    const [row] = await service.list()
    expect(row?.projectReasons).toHaveLength(5)
    expect(row?.projectReasons[0]).toBe(
      `In harbour/pier-10, harbour/pier-11, harbour/pier-12 and 17 more: ${overlapWords}`,
    )
    expect(row?.projectReasons[4]).toBe(
      'In harbour/pier-33, harbour/pier-34, harbour/pier-35 and 14 more: settings of their own turn the resume off, so runs start fresh.',
    )
    // The app's, the one that twenty share, and twenty others.
    expect(overlapsAsked).toHaveLength(22)
    expect(asked).toHaveLength(22)
  })
})

describe('the login where projects have settings of their own', () => {
  const withKey: Parameters<typeof bench>[0] = ({ settings }) =>
    settings.AGENT_CREDENTIAL_ENV.includes('claude-code=GOOD')
      ? 'found'
      : settings.AGENT_CREDENTIAL_ENV.includes('claude-code=OLD')
        ? 'expired'
        : 'missing'
  const good = ['claude-code=GOOD']

  it('is missed by nobody when every project that uses the CLI has a good one of its own', async () => {
    const { store, service } = bench(withKey)
    store.installations.put(installed)
    const { pier, quay } = addProjects(store, 'harbour', 'pier', 'quay')
    store.settings.set('project', pier.id, 'AGENT_CREDENTIAL_ENV', good, 1)
    const projectLogins = [{ projects: 'harbour/pier', loginState: 'found' }]
    expect(await service.list()).toMatchObject([{ loginState: 'missing', projectLogins }])
    store.settings.set('project', quay.id, 'AGENT_ADAPTER', 'codex', 1)
    expect(await service.list()).toMatchObject([{ loginState: 'found', projectLogins }])
    // One phase of it is enough.
    store.settings.set('project', quay.id, 'AGENT_ADAPTER_ANSWER', 'claude-code', 1)
    expect(await service.list()).toMatchObject([
      { loginState: 'missing', projectLogins: [{ projects: 'harbour/pier' }] },
    ])
  })

  it('is told with the projects where it is missing or has expired, before they run', async () => {
    const { store, service } = bench(withKey)
    store.installations.put(installed)
    const { pier, quay, shed } = addProjects(store, 'harbour', 'pier', 'quay', 'shed', 'yard')
    store.settings.set('app', 0, 'AGENT_CREDENTIAL_ENV', good, 1)
    store.settings.set('project', pier.id, 'AGENT_CREDENTIAL_ENV', [], 1)
    store.settings.set('project', quay.id, 'AGENT_CREDENTIAL_ENV', ['claude-code=OLD'], 1)
    store.settings.set('project', shed.id, 'AGENT_MODEL', 'opus', 1)
    expect(await service.list()).toMatchObject([
      {
        loginState: 'found',
        projectLogins: [
          { projects: 'harbour/pier', loginState: 'missing' },
          { projects: 'harbour/quay', loginState: 'expired' },
        ],
      },
    ])
  })

  it('is asked for the provider of each phase, and the worst of them counts', async () => {
    const { store, service } = bench(({ provider }) => (provider === 'bedrock' ? 'unknown' : 'missing'))
    store.installations.put(installed)
    const { pier } = addProjects(store, 'harbour', 'pier', 'quay')
    store.settings.set('project', pier.id, 'AGENT_PROVIDER', 'bedrock', 1)
    const projectLogins = [{ projects: 'harbour/pier', loginState: 'unknown' }]
    expect(await service.list()).toMatchObject([{ loginState: 'missing', projectLogins }])
    store.settings.set('project', pier.id, 'AGENT_PROVIDER_ANALYSIS', 'anthropic', 1)
    expect(await service.list()).toMatchObject([{ loginState: 'missing', projectLogins: [] }])
  })

  it('tells when it ends, what signs it in, and what is mounted for that', async () => {
    const { store, service } = bench(() => ({
      endsAt: now + 5,
      source: { kind: 'file', name: '.credentials.json' },
      mounts: 1,
    }))
    store.installations.put(installed)
    expect(await service.list()).toMatchObject([
      {
        loginState: 'found',
        loginEndsAt: now + 5,
        loginSource: { kind: 'file', name: '.credentials.json' },
        loginMounts: 1,
        loginProof: null,
      },
    ])
  })

  it('is told of a project where it ends soon, and not where that is far away', async () => {
    const day = 86_400_000
    const ends: Readonly<Record<string, number>> = { 'claude-code=SOON': 2, 'claude-code=LATE': 200 }
    const { store, service } = bench(({ settings }) => {
      const days = ends[settings.AGENT_CREDENTIAL_ENV[0] ?? '']
      return { endsAt: days === undefined ? null : now + days * day }
    })
    store.installations.put(installed)
    const { pier, quay } = addProjects(store, 'harbour', 'pier', 'quay', 'shed')
    store.settings.set('project', pier.id, 'AGENT_CREDENTIAL_ENV', ['claude-code=SOON'], 1)
    store.settings.set('project', quay.id, 'AGENT_CREDENTIAL_ENV', ['claude-code=LATE'], 1)
    expect(await service.list()).toMatchObject([
      {
        loginEndsAt: null,
        projectLogins: [{ projects: 'harbour/pier', loginState: 'found', loginEndsAt: now + 2 * day }],
      },
    ])
  })
})
