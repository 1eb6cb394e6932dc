import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { credentialMountsOf, credentialOverlap } from './credential-mounts'
import { foldersBetween, isInside, normalizeContainerPath } from './container-paths'
import { buildContainerSpec, type SandboxRequest } from './sandbox-spec'
import { sandboxContract } from './sandbox-contract'
import { groupFile, passwdFile, sandboxUser } from './sandbox-user'

const request = (change: Partial<SandboxRequest> = {}): SandboxRequest => ({
  purpose: 'run',
  ids: { installId: 'install-1', runUid: '0199-uid', mailboxId: 7, attempt: 1, start: 1 },
  image: 'alfred-agent:abc',
  engine: { rootless: false, cpus: 8 },
  appUser: { uid: 1234, gid: 1234 },
  adapter: {
    id: 'demo',
    sessionStatePath: '/home/agent/.demo/sessions',
    scratchPaths: ['/home/agent/.demo'],
  },
  command: { argv: ['agent', '--go'], environment: { AGENT_FLAG: '1' } },
  folders: {
    workspace: '/d/ws',
    repository: '/d/repo.git',
    input: '/d/in',
    output: '/d/out',
    state: '/d/state',
  },
  files: { entry: '/r/entry', gitConfig: '/r/gitconfig', passwd: '/d/passwd', group: '/d/group' },
  credentials: [],
  limits: { memoryBytes: 4_000_000_000, cpus: 2, pids: 512 },
  git: {
    branch: 'agent/issue-1-x',
    baseSha: 'a'.repeat(40),
    tree: 'branch',
    authorName: 'Bot',
    authorEmail: 'bot@x',
  },
  ...change,
})

function specOf(change: Partial<SandboxRequest> = {}) {
  const built = buildContainerSpec(request(change))
  if (!built.ok) throw new Error(built.error.message)
  return built.value
}

const targets = (change: Partial<SandboxRequest> = {}, kind: 'bind' | 'tmpfs' = 'tmpfs'): string[] =>
  specOf(change)
    .mounts.filter((mount) => mount.kind === kind)
    .map((mount) => mount.target)

describe('the sandbox of a start', () => {
  it('mounts each stream file as a file of its own beside the results', () => {
    expect(targets({}, 'bind')).toEqual(
      expect.arrayContaining(['/alfred/out', '/alfred/out/stream.out', '/alfred/out/stream.err']),
    )
  })

  it('lets the agent write only to its workspace, results, streams and session state', () => {
    const writable = specOf().mounts.filter((mount) => mount.kind === 'bind' && !mount.readOnly)
    expect(writable.map((mount) => mount.target)).toEqual([
      '/workspace',
      '/alfred/out',
      '/alfred/out/stream.out',
      '/alfred/out/stream.err',
      '/home/agent/.demo/sessions',
    ])
  })

  it('puts a tmpfs on home, on the temporary folder and on every folder between home and a mount', () => {
    expect(
      targets({
        credentials: [{ source: '/h/login', target: '/home/agent/.config/tool/auth/login.json' }],
      }),
    ).toEqual([
      '/home/agent',
      '/home/agent/.config',
      '/home/agent/.config/tool',
      '/home/agent/.config/tool/auth',
      '/home/agent/.demo',
      '/tmp',
    ])
  })

  it('puts no tmpfs over a mounted folder', () => {
    const scratch = { id: 'demo', sessionStatePath: null, scratchPaths: ['/home/agent/.demo/cache'] } as const
    expect(
      targets({ adapter: scratch, credentials: [{ source: '/h/demo', target: '/home/agent/.demo' }] }),
    ).toEqual(['/home/agent', '/tmp'])
  })

  it('mounts no state when sessions do not apply', () => {
    const off = specOf({ folders: { ...request().folders, state: null } })
    expect(off.mounts.some((mount) => mount.target === '/home/agent/.demo/sessions')).toBe(false)
  })

  it('is the same for a terminal, with a terminal', () => {
    const { environment, hasTerminal, labels, ...terminal } = specOf({ purpose: 'terminal' })
    const { environment: ofRun, labels: labelsOfRun, ...run } = specOf()
    expect(terminal).toEqual(run)
    expect(hasTerminal).toBe(true)
    expect(labels).toEqual({ ...labelsOfRun, 'dev.alfred.purpose': 'terminal' })
    const asked = { ALFRED_MODE: 'terminal', TERM: 'xterm-256color', COLORTERM: 'truecolor' }
    expect(environment).toEqual({ ...ofRun, ...asked, TINI_KILL_PROCESS_GROUP: '1' })
    expect(specOf()).not.toHaveProperty('hasTerminal')
  })

  it('gives a collect container no network, no credentials, no state and no command of the agent', () => {
    const collect = specOf({
      purpose: 'collect',
      credentials: [{ source: '/h/x', target: '/home/agent/.x' }],
    })
    expect(collect.network).toBe('none')
    expect(collect.argv).toEqual(['/bin/sh', '/alfred/entry'])
    expect(collect.environment['AGENT_FLAG']).toBeUndefined()
    expect(collect.mounts.map((mount) => mount.target)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/home\/agent\/./)]),
    )
  })

  it('asks for no more processors than the engine has', () => {
    expect(specOf({ engine: { rootless: false, cpus: 1 } }).limits.cpus).toBe(1)
  })

  it('names the same start the same, and another start differently', () => {
    expect(specOf().name).toBe(specOf().name)
    expect(specOf({ ids: { ...request().ids, start: 2 } }).name).not.toBe(specOf().name)
  })

  it.each([
    '/workspace/x',
    '/alfred',
    '/',
    '/home',
    '/home/agent',
    '/tmp',
    '/etc',
    '/etc/passwd',
    'relative',
  ])('refuses a credential at %s', (target) => {
    const built = buildContainerSpec(request({ credentials: [{ source: '/h/x', target }] }))
    expect(built.ok ? null : built.error.type).toBe('credential_mount_refused')
  })
})

describe('the user of a sandbox', () => {
  it.each([
    ['the app user', { uid: 1001, gid: 1002 }, false, { uid: 1001, gid: 1002 }],
    ['an ordinary user when the app is root', { uid: 0, gid: 0 }, false, { uid: 1000, gid: 1000 }],
    ['an ordinary user where the system has no ids', null, false, { uid: 1000, gid: 1000 }],
    ['root inside a rootless engine', { uid: 1001, gid: 1001 }, true, { uid: 0, gid: 0 }],
  ])('is %s', (_what, app, rootless, expected) => {
    expect(sandboxUser(app, { rootless })).toEqual(expected)
  })

  it('has a name and a home in passwd and group, whatever its uid', () => {
    expect(passwdFile({ uid: 1234, gid: 99 })).toContain('agent:x:1234:99:agent:/home/agent:/bin/sh\n')
    expect(groupFile({ uid: 1234, gid: 99 })).toContain('agent:x:99:\n')
    expect(passwdFile({ uid: 0, gid: 0 })).toContain('root:x:0:0:root:/home/agent:/bin/sh\n')
  })
})

describe('credentials and session state', () => {
  const state = '/home/agent/.demo/sessions'
  it.each([
    ['equal', '/home/agent/.demo/sessions/', true],
    ['inside', '/home/agent/.demo/sessions/auth.json', true],
    ['around', '/home/agent/.demo', true],
    ['around by a detour', '/home/agent/x/../.demo/.', true],
    ['a neighbour', '/home/agent/.demo/auth.json', false],
    ['a name that only begins alike', '/home/agent/.demo/sessions-auth', false],
  ])('are told apart when one is %s', (_what, target, expected) => {
    expect(credentialOverlap(state, [{ source: '/h', target }]) !== null).toBe(expected)
  })

  it('belong to the adapter that the setting names', () => {
    const setting = ['demo=/h/a:/home/agent/.a', 'codex=/h/b:/home/agent/.b']
    expect(credentialMountsOf(setting, 'codex')).toEqual([{ source: '/h/b', target: '/home/agent/.b' }])
  })

  const name = fc.constantFrom('a', '.b', 'sessions', '..', '.', '')
  const path = fc.array(name, { maxLength: 5 }).map((names) => `/home/agent/${names.join('/')}`)
  it('never share a path without being seen', () => {
    fc.assert(
      fc.property(path, path, (statePath, target) => {
        const a = normalizeContainerPath(statePath) ?? ''
        const b = normalizeContainerPath(target) ?? ''
        const shares = isInside(a, b) || isInside(b, a)
        expect(credentialOverlap(statePath, [{ source: '/h', target }]) !== null).toBe(shares)
      }),
    )
  })

  it('have every folder between home and themselves listed', () => {
    expect(foldersBetween('/home/agent', '/home/agent/a/b/c')).toEqual(['/home/agent/a', '/home/agent/a/b'])
    expect(foldersBetween('/home/agent', '/elsewhere/a')).toEqual([])
  })
})

describe('the sandbox contract', () => {
  const facts = {
    imageDigest: 'sha256:1',
    rootless: false,
    timeoutMs: 60_000,
    secretEnvironment: [],
    unagreedLogins: [],
  }

  it('says in words what the spec does', () => {
    const contract = sandboxContract({ ...facts, spec: specOf() })
    expect(contract).toMatchObject({
      user: 'uid 1234, gid 1234; no capabilities, no new privileges',
      network: 'open: the internet and what this computer serves',
      credentials: 'none',
    })
    expect(contract.mounts).toContainEqual({
      target: '/alfred/repo.git',
      access: 'ro',
      purpose: "the app's own repository, to fetch from",
    })
  })

  it('says which login files are left out until somebody agrees to them', () => {
    const contract = sandboxContract({ ...facts, unagreedLogins: ['/h/login'], spec: specOf() })
    expect(contract.credentials).toBe(
      'none. Not mounted, since nobody has agreed to it yet (AGENT_CREDENTIAL_MOUNTS): /h/login',
    )
  })

  it('warns that credentials can be read and sent away', () => {
    const contract = sandboxContract({
      ...facts,
      spec: specOf({ credentials: [{ source: '/h/login', target: '/home/agent/.login' }] }),
    })
    expect(contract.credentials).toBe(
      '/h/login (read-only): the agent can read these credentials and, with the network open, send them away',
    )
  })
})
