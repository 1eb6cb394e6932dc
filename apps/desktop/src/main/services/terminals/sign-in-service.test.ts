import { beforeEach, describe, expect, it } from 'vitest'
import type { SignInEvent } from '@shared/contract/terminals'
import { err, ok } from '@shared/result'
import {
  createFakeContainerRuntime,
  type FakeContainerRuntime,
  type FakeExit,
} from '../../../../test/fakes/fake-container-runtime'
import type { FakeTerminal } from '../../../../test/fakes/fake-terminal'
import { createSettableClock, type SettableClock } from '../../../../test/fakes/settable-clock'
import { createAgentAdapters } from '../../adapters/agents/agent-adapters'
import { createApiAdapter } from '../../adapters/agents/api/api-adapter'
import { createClaudeCodeAdapter } from '../../adapters/agents/claude-code/claude-code-adapter'
import { createDemoAdapter } from '../../adapters/agents/demo/demo-adapter'
import { createSystemRandomness } from '../../adapters/system/system-randomness'
import type { LoginLook } from '../agents/agent-credentials'
import { createSignInService, signInLimitMs, type SignInService } from './sign-in-service'
import { createTerminalHub, type TerminalHub } from './terminal-hub'

const size = { columns: 80, rows: 24 }

let clock: SettableClock
let hub: TerminalHub
let runtime: FakeContainerRuntime
let service: SignInService
let mounts: string[]
let image: string | null
let login: LoginLook
let looks: string[]
let opened: unknown[]
let program: FakeTerminal
let exit: (exit: FakeExit) => void
/** Settles once the login shows itself. */
let isShown: Promise<void>

beforeEach(() => {
  clock = createSettableClock(1_000)
  const randomness = createSystemRandomness()
  hub = createTerminalHub({ clock, randomness, logger: { error: () => undefined } })
  mounts = []
  image = 'sha256:image:1'
  login = 'missing'
  looks = []
  opened = []
  let tellShown = (): void => undefined
  isShown = new Promise((resolve) => (tellShown = resolve))
  runtime = createFakeContainerRuntime({
    images: ['image:1'],
    program: (_spec, stopped, terminal) => {
      program = terminal
      terminal.print('Paste the code here > ')
      tellShown()
      return new Promise((resolve) => {
        exit = resolve
        stopped.addEventListener('abort', () => resolve({ exitCode: 143 }))
      })
    },
  })
  service = createSignInService({
    adapters: createAgentAdapters([
      createClaudeCodeAdapter(),
      createApiAdapter({ program: {} }),
      createDemoAdapter(),
    ]),
    settings: () => ({
      AGENT_CREDENTIAL_ENV: [],
      AGENT_CREDENTIAL_MOUNTS: mounts,
      AGENT_PROVIDER: null,
      RUN_CPUS: 2,
      RUN_MEMORY: 4_000,
      RUN_PIDS: 100,
      TERMINAL_COMMAND: 'mine {command}',
    }),
    imageWith: () => Promise.resolve(image),
    runtime: { ...runtime, attach: slowly(runtime) },
    hub,
    programs: {
      open: (words, options) => {
        opened.push({ words, ...options })
        return Promise.resolve(opened.length === 1 ? ok(null) : err('It ended at once.'))
      },
    },
    credentials: {
      login: () => Promise.resolve(login),
      ownFolder: ({ id }) => Promise.resolve(`/data/.agent-credentials/${id}`),
    },
    sandboxFiles: {
      fixedFiles: () =>
        Promise.resolve({ entry: '/f/entry', gitConfig: '/f/git', passwd: '/f/passwd', group: '/f/group' }),
    },
    appUser: { uid: 7, gid: 8 },
    labels: { install: 'x' },
    randomness,
    clock,
    logger: { error: () => undefined, warn: () => undefined },
    onLooked: (adapter, look) => void looks.push(`${adapter} ${look}`),
  })
})

/** What a container has shown last may still be on its way when the container has ended. */
const slowly =
  ({ attach }: FakeContainerRuntime): FakeContainerRuntime['attach'] =>
  async (id) => {
    const held = await attach(id)
    if (!held.ok) return held
    const { output } = held.value
    return ok({
      ...held.value,
      output: (async function* () {
        for await (const bytes of output) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          yield bytes
        }
      })(),
    })
  }

const signIn = (adapter: 'claude-code' | 'api' | 'demo' | 'codex' = 'claude-code', who = 'mia') => {
  const events: SignInEvent[] = []
  let tellLast: (event: SignInEvent) => void = () => undefined
  const last = new Promise<SignInEvent>((resolve) => (tellLast = resolve))
  let tellAttached = (): void => undefined
  const attached = new Promise<void>((resolve) => (tellAttached = resolve))
  const leave = service.signIn(adapter, {
    who,
    size,
    listener: (event) => {
      events.push(event)
      if (event.type === 'attached') tellAttached()
      if (event.type !== 'attached' && event.type !== 'shown') tellLast(event)
    },
  })
  const shown = () =>
    events
      .map((event) => (event.type === 'shown' ? Buffer.from(event.bytes, 'base64').toString() : ''))
      .join('')
  return { events, attached, last, leave, shown }
}
const leftovers = async () => {
  const listed = await runtime.listByLabel('install', 'x')
  return listed.ok ? listed.value : null
}

describe('a person who signs an agent in', () => {
  it("sees the CLI's own login, types into it, and is told what it came to", async () => {
    const { events, last, shown } = signIn()
    await isShown
    const attached = events.find(({ type }) => type === 'attached')
    if (attached?.type !== 'attached') throw new Error('not attached')
    const typed = new Promise((resolve) => program.onTyped(resolve))
    expect(hub.type(attached.attachmentId, Buffer.from('code'))).toBe(true)
    expect(await typed).toBe('code')
    login = 'found'
    program.print('Login successful.')
    exit({ exitCode: 0 })
    expect(await last).toEqual({ type: 'checked', loginState: 'found', exitCode: 0 })
    expect(shown()).toBe('Paste the code here > Login successful.')
    expect(looks).toEqual(['claude-code found'])
    expect(await leftovers()).toEqual([])
  })

  it('has only the folder of login files written, with the limits and the user of a run, and no secret', async () => {
    const { leave } = signIn()
    await isShown
    const [spec] = runtime.started
    expect(spec).toMatchObject({
      image: 'sha256:image:1',
      argv: ['claude', 'auth', 'login'],
      user: { uid: 7, gid: 8 },
      limits: { memoryBytes: 4_000, cpus: 2, pids: 100 },
      network: 'bridge',
      hasTerminal: true,
      labels: { install: 'x', 'dev.alfred.purpose': 'sign-in', 'dev.alfred.adapter': 'claude-code' },
    })
    expect(
      spec?.mounts.flatMap((mount) =>
        mount.kind === 'bind' ? [`${mount.source}:${mount.target}:${mount.readOnly ? 'ro' : 'rw'}`] : [],
      ),
    ).toEqual([
      '/data/.agent-credentials/claude-code:/home/agent/.claude:rw',
      '/f/passwd:/etc/passwd:ro',
      '/f/group:/etc/group:ro',
    ])
    leave()
    await service.close()
  })

  it('ends it by leaving, and may begin again', async () => {
    const { leave, events } = signIn()
    await isShown
    const before = events.length
    leave()
    await expect.poll(leftovers).toEqual([])
    await service.close()
    expect(events).toHaveLength(before)
    await signIn().attached
    await service.close()
  })

  it('is told who signs it in already', async () => {
    signIn()
    await isShown
    expect(await signIn('claude-code', 'noa').last).toEqual({ type: 'held', who: 'mia', since: 1_000 })
    expect(runtime.started).toHaveLength(1)
    await service.close()
  })

  it('finds it ended when it has been there for too long', async () => {
    const { last } = signIn()
    await isShown
    clock.advance(signInLimitMs)
    expect(await last).toEqual({ type: 'checked', loginState: 'missing', exitCode: null })
    expect(await leftovers()).toEqual([])
  })

  it.each([
    ['an agent that is not there', 'codex', 'There is no agent codex.'],
    ['an agent without a login', 'demo', 'demo needs no login.'],
    ['an agent that takes a key alone', 'api', 'api has no login of its own that could be opened.'],
  ] as const)('is told that %s cannot be signed in so', async (_, adapter, words) => {
    expect(await signIn(adapter).last).toEqual({ type: 'failed', message: expect.stringContaining(words) })
    expect(await service.openProgram(adapter)).toMatchObject({ ok: false, error: { type: 'not_possible' } })
    expect(opened).toEqual([])
  })

  it('is told where files of their own are mounted, which are never written', async () => {
    mounts = ['claude-code=/home/mia/.claude:/home/agent/.claude']
    expect(await signIn().last).toMatchObject({
      type: 'failed',
      message: expect.stringContaining('AGENT_CREDENTIAL_MOUNTS'),
    })
    expect(runtime.started).toEqual([])
  })

  it('is told when no image has the CLI, and when Docker is away', async () => {
    image = null
    expect(await signIn().last).toMatchObject({ message: expect.stringContaining('alfred agents build') })
    await service.close()
    runtime.failWith('unreachable')
    expect(await signIn().last).toEqual({ type: 'failed', message: 'unreachable' })
  })
})

it('opens a terminal program with the command in it, and tells the command where there is none', async () => {
  expect(await service.openProgram('claude-code')).toEqual(ok({ command: 'alfred agents login claude-code' }))
  expect(opened).toEqual([
    {
      words: ['agents', 'login', 'claude-code', '--wait-at-end'],
      title: 'alfred agents login claude-code',
      template: 'mine {command}',
    },
  ])
  expect(await service.openProgram('claude-code')).toEqual(
    err({
      type: 'no_terminal',
      message: 'It ended at once.',
      command: 'alfred agents login claude-code',
    }),
  )
})
