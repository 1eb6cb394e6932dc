import { describe, expect, it } from 'vitest'
import { err, ok } from '@shared/result'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { LoginFileLook } from '../../ports/login-files'
import { createDataPaths } from '../runs/data-paths'
import { createAgentCredentials, type CredentialScope } from './agent-credentials'

const now = 1_000_000
const adapter = createClaudeCodeAdapter()
const own = '/data/.agent-credentials/claude-code/.credentials.json'
const user = { uid: 1000, gid: 1000 }

interface World {
  readonly secrets?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string | null>>
  readonly hasNoKeyring?: boolean
}

function bench({ secrets = {}, files = {}, hasNoKeyring = false }: World = {}) {
  const made: string[] = []
  const handedOver: string[] = []
  const credentials = createAgentCredentials({
    secrets: {
      read: async (name) =>
        hasNoKeyring
          ? err({ type: 'no_keyring', message: 'none' })
          : ok(Object.hasOwn(secrets, name) ? (secrets[name] ?? null) : null),
    },
    files: {
      // What lies behind /link is /data, as on a computer on which somebody put a link there.
      pathOf: async (path) => path.replace(/^\/link(?=\/|$)/, '/data'),
      look: async (path): Promise<LoginFileLook> => {
        const content = files[path]
        if (content === undefined) return { type: 'missing' }
        return content === null ? { type: 'unreadable' } : { type: 'read', content }
      },
      handOver: async (path) => void handedOver.push(path),
    },
    user,
    sandboxFiles: { ensureFolder: async (path) => void made.push(path) },
    paths: createDataPaths('/data'),
    clock: { now: () => now },
  })
  return { credentials, made, handedOver }
}

const scope = (change: Partial<CredentialScope['settings']> = {}, rest: Partial<CredentialScope> = {}) => ({
  settings: { AGENT_CREDENTIAL_MOUNTS: [], AGENT_CREDENTIAL_ENV: [], ...change },
  provider: null,
  runner: 'container' as const,
  ...rest,
})
const oauth = (part: object): string =>
  JSON.stringify({ claudeAiOauth: { accessToken: 'sk-ant-oat', ...part } })

describe('the folder that a login writes', () => {
  it("is the adapter's own, made for the sandbox's user, who gets what lies in it", async () => {
    const { credentials, made, handedOver } = bench({ files: { [own]: oauth({}) } })
    const folder = '/data/.agent-credentials/claude-code'
    expect(await credentials.ownFolder(adapter, user)).toBe(folder)
    expect(made).toEqual([folder])
    expect(handedOver).toEqual([own])
  })
})

describe('what a start gets', () => {
  it('is the login file of its own folder, when there is one', async () => {
    const { credentials, handedOver } = bench({ files: { [own]: oauth({}) } })
    expect(await credentials.forStart(adapter, scope(), user)).toEqual({
      mounts: [{ source: own, target: '/home/agent/.claude/.credentials.json' }],
      environment: {},
    })
    expect(handedOver).toEqual([own])
    expect((await bench().credentials.forStart(adapter, scope(), user)).mounts).toEqual([])
    // A link that somebody put there would show another file of this computer to the agent.
    expect(
      (await bench({ files: { [own]: null } }).credentials.forStart(adapter, scope(), user)).mounts,
    ).toEqual([])
  })

  it('is what a person mounts, and then nothing of the own folder', async () => {
    const { credentials, handedOver } = bench({ files: { [own]: oauth({}), '/h/b': '' } })
    const settings = {
      AGENT_CREDENTIAL_MOUNTS: ['codex=/h/a:/home/agent/a', 'claude-code=/h/b:/home/agent/b'],
    }
    expect((await credentials.forStart(adapter, scope(settings), user)).mounts).toEqual([
      { source: '/h/b', target: '/home/agent/b' },
    ])
    expect(handedOver).toEqual([])
  })

  it('is the secrets that its setting names, and no other', async () => {
    const { credentials } = bench({ secrets: { ANTHROPIC_API_KEY: 'sk-1', OPENAI_API_KEY: 'sk-2' } })
    const settings = {
      AGENT_CREDENTIAL_ENV: ['claude-code=ANTHROPIC_API_KEY', 'claude-code=ABSENT', 'codex=OPENAI_API_KEY'],
    }
    expect((await credentials.forStart(adapter, scope(settings), user)).environment).toEqual({
      ANTHROPIC_API_KEY: 'sk-1',
    })
  })

  it('is nothing for an agent without a login', async () => {
    const { credentials } = bench()
    expect(await credentials.forStart(createDemoAdapter(), scope(), user)).toEqual({
      mounts: [],
      environment: {},
    })
  })
})

describe('the login', () => {
  const hour = 3_600_000
  it.each([
    ['no file', {}, 'missing'],
    ['a file without a login', { [own]: '{"claudeAiOauth":{}}' }, 'missing'],
    ['a file that is none', { [own]: 'x' }, 'missing'],
    ['a file that cannot be read', { [own]: null }, 'missing'],
    ['a token without an end', { [own]: oauth({}) }, 'found'],
    ['a token that holds', { [own]: oauth({ expiresAt: now + hour }) }, 'found'],
    ['a token that is over', { [own]: oauth({ expiresAt: now - 1 }) }, 'expired'],
    ['one that can be renewed', { [own]: oauth({ expiresAt: now - 1, refreshToken: 'r' }) }, 'found'],
    [
      'one that could be renewed until now',
      { [own]: oauth({ expiresAt: now - 1, refreshToken: 'r', refreshTokenExpiresAt: now }) },
      'expired',
    ],
  ])('with %s', async (_what, files, expected) => {
    expect(await bench({ files }).credentials.login(adapter, scope())).toBe(expected)
  })

  it.each([
    ['a token that holds', { expiresAt: now + hour }, now + hour],
    ['a token without an end', {}, null],
    [
      'one that is renewed until a day',
      { expiresAt: 1, refreshToken: 'r', refreshTokenExpiresAt: now + 9 },
      now + 9,
    ],
    ['one that is renewed for good', { expiresAt: now + 1, refreshToken: 'r' }, null],
    ['a token that is over', { expiresAt: now - 1 }, now - 1],
  ])('ends, with %s', async (_what, part, endsAt) => {
    const { credentials } = bench({ files: { [own]: oauth(part) } })
    const facts = await credentials.loginFacts(adapter, scope())
    expect(facts).toMatchObject({ endsAt, source: { kind: 'file', name: '.credentials.json' }, mounts: 1 })
    expect(JSON.stringify(facts)).not.toContain('sk-ant')
  })

  it('tells the variable that signs it in, and what is mounted beside it', async () => {
    const settings = { AGENT_CREDENTIAL_ENV: ['claude-code=CLAUDE_CODE_OAUTH_TOKEN'] }
    const world = { secrets: { CLAUDE_CODE_OAUTH_TOKEN: 'sk-1' }, files: { [own]: oauth({ expiresAt: 1 }) } }
    const source = { kind: 'environment', name: 'CLAUDE_CODE_OAUTH_TOKEN' }
    const facts = await bench(world).credentials.loginFacts(adapter, scope(settings))
    expect(facts).toEqual({ state: 'found', endsAt: null, source, mounts: 1 })
    const onHost = await bench(world).credentials.loginFacts(adapter, scope(settings, { runner: 'host' }))
    expect(onHost).toEqual({ state: 'found', endsAt: null, source, mounts: 0 })
    const nothing = { state: 'missing', endsAt: null, source: null, mounts: 0 }
    expect(await bench().credentials.loginFacts(adapter, scope())).toEqual(nothing)
  })

  it('has a folder for its files, once somebody asks for it', async () => {
    const { credentials, made } = bench()
    await credentials.login(adapter, scope())
    expect(made).toEqual(['/data/.agent-credentials/claude-code'])
    await credentials.login(createDemoAdapter(), scope())
    expect(made).toHaveLength(1)
  })

  it('is found where a secret signs in', async () => {
    const settings = { AGENT_CREDENTIAL_ENV: ['claude-code=ANTHROPIC_API_KEY'] }
    const secrets = { ANTHROPIC_API_KEY: 'sk-1' }
    expect(await bench({ secrets }).credentials.login(adapter, scope(settings))).toBe('found')
    expect(await bench({ secrets }).credentials.login(adapter, scope())).toBe('missing')
    expect(await bench().credentials.login(adapter, scope(settings))).toBe('missing')
    expect(await bench({ hasNoKeyring: true }).credentials.login(adapter, scope(settings))).toBe('missing')
    const other = { AGENT_CREDENTIAL_ENV: ['claude-code=EDITOR_TOKEN'] }
    expect(await bench({ secrets: { EDITOR_TOKEN: 'x' } }).credentials.login(adapter, scope(other))).toBe(
      'missing',
    )
  })

  it('is read from a mount, also of a folder', async () => {
    const files = { '/h/l.json': oauth({ expiresAt: now - 1 }), '/h/claude/.credentials.json': oauth({}) }
    const mounted = (mount: string) =>
      bench({ files }).credentials.login(
        adapter,
        scope({ AGENT_CREDENTIAL_MOUNTS: [`claude-code=${mount}`] }),
      )
    expect(await mounted('/h/l.json:/home/agent/.claude/.credentials.json')).toBe('expired')
    expect(await mounted('/h/claude:/home/agent/.claude')).toBe('found')
    expect(await mounted('/h/none:/home/agent/.claude')).toBe('missing')
    expect(await mounted('/h/aws:/home/agent/.aws')).toBe('unknown')
  })

  it('is not known of another provider or on the host, and not needed without one', async () => {
    const { credentials } = bench()
    expect(await credentials.login(adapter, scope({}, { provider: 'bedrock' }))).toBe('unknown')
    expect(await credentials.login(adapter, scope({}, { provider: 'anthropic' }))).toBe('missing')
    expect(await credentials.login(adapter, scope({}, { runner: 'host' }))).toBe('unknown')
    expect(await credentials.login(createDemoAdapter(), scope())).toBe('not_needed')
  })
})

describe('a credential mount that the sessions would overlap', () => {
  const state = adapter.sessionStatePath ?? ''
  const overlap = (source: string, target: string) =>
    bench().credentials.overlap(adapter, { AGENT_CREDENTIAL_MOUNTS: [`claude-code=${source}:${target}`] })

  it.each([
    ['target', 'equal', '/secret', state],
    ['target', 'inside, by way of another folder', '/secret', `${state}/x/../login.json`],
    ['target', 'around', '/secret', '/home/agent/.claude/../.claude'],
    ['source', 'on this computer: the sessions themselves', '/data/.agent-sessions', '/home/agent/login'],
    [
      'source',
      'on this computer: inside them',
      '/data/.agent-sessions/a-1-issue-1/claude-code/x',
      '/home/agent/login',
    ],
    ['source', 'on this computer: around them', '/data', '/home/agent/login'],
    ['source', 'on this computer: through a link', '/link/.agent-sessions', '/home/agent/login'],
  ] as const)('is told, with its %s: %s', async (half, _, source, target) => {
    expect(await overlap(source, target)).toEqual({ source, target, half })
  })

  it('is none where both are apart, or the mount is of another CLI', async () => {
    expect(await overlap('/secret', '/home/agent/.claude/.credentials.json')).toBeNull()
    expect(await overlap('/data/.agent-sessions-of-old', '/home/agent/login')).toBeNull()
    const others = { AGENT_CREDENTIAL_MOUNTS: [`codex=/secret:${state}`] }
    expect(await bench().credentials.overlap(adapter, others)).toBeNull()
  })
})
