import { describe, expect, it } from 'vitest'
import type { StartRequest } from '@main/ports/agent-adapter'
import { createOpencodeAdapter } from './opencode-adapter'

const id = 'ses_dd88cb82bffevRdfFw1ELaLIKb'
const name = 'agent/issue-7-sign-in'
const adapter = createOpencodeAdapter()

const request = (change: Partial<StartRequest> = {}): StartRequest => ({
  session: { mode: 'none' },
  phase: 'development',
  model: null,
  provider: null,
  baseUrl: null,
  readOnly: false,
  runner: 'container',
  ...change,
})
const start = (change: Partial<StartRequest> = {}) => adapter.start(request(change))
const configOf = (change: Partial<StartRequest>): unknown =>
  JSON.parse(start(change).environment['OPENCODE_CONFIG_CONTENT'] ?? '')

describe('the command', () => {
  const common = ['opencode', 'run', '--format', 'json', '--auto', '--thinking']

  it.each([
    [
      'names a session that begins; the CLI makes its id',
      { mode: 'fresh', name, chosenId: null },
      [`--title=${name}`],
    ],
    [
      'resumes by id, in the only directory in which it does not hang',
      { mode: 'resume', name, nativeId: id },
      [`--session=${id}`, '--dir=/workspace'],
    ],
    ['says nothing of a session where there is none', { mode: 'none' }, []],
  ] as const)('%s', (_what, session, words) => expect(start({ session }).argv).toEqual([...common, ...words]))

  it.each([
    [{ model: 'anthropic/big' }, ['--model=anthropic/big']],
    [{ model: 'big', provider: 'anthropic' }, ['--model=anthropic/big']],
    [{ model: 'anthropic/big', provider: 'anthropic' }, ['--model=anthropic/big']],
    [{ model: 'meta/big', provider: 'openrouter' }, ['--model=openrouter/meta/big']],
    [{ model: 'big', baseUrl: 'http://models.example/v1' }, ['--model=custom/big']],
    [{ model: '--help' }, ['--model=--help']],
    [{ provider: 'anthropic' }, []],
  ])('takes the model %j as one word', (change, words) =>
    expect(start(change).argv).toEqual([...common, ...words]),
  )

  it('takes the prompt from standard input alone, which is closed behind it', () =>
    expect(start().argv.slice(common.length)).toEqual([]))

  it('attaches to a session in a terminal', () => {
    const attached = adapter.attach?.(
      request({ session: { mode: 'resume', name, nativeId: id }, model: 'a/b' }),
    )
    expect(attached?.argv).toEqual(['opencode', `--session=${id}`, '--model=a/b'])
    expect(attached?.environment).toMatchObject({
      OPENCODE_DB: '/home/agent/.local/share/opencode/session-db/opencode.db',
    })
    expect(adapter.attach?.(request({ session: { mode: 'fresh', name, chosenId: null } })).argv).toEqual([
      'opencode',
    ])
  })
})

describe('where its sessions are', () => {
  const databaseOf = (change: Partial<StartRequest>) => start(change).environment['OPENCODE_DB']

  it('is a folder of its own, with no login in it, also not the one that a person mounts', () => {
    expect(databaseOf({ session: { mode: 'fresh', name, chosenId: null } })).toBe(
      `${adapter.sessionStatePath}/opencode.db`,
    )
    for (const { target } of adapter.login?.files ?? [])
      expect(target.startsWith(`${adapter.sessionStatePath}/`)).toBe(false)
  })

  it('is nowhere without sessions, and in no file on the host', () => {
    expect(databaseOf({})).toBeUndefined()
    expect(databaseOf({ runner: 'host' })).toBe(':memory:')
  })

  it('is known as a whole only: one file holds all of them, and most of it is the log beside it', () =>
    expect(adapter.sessionFile(id)).toBeNull())
})

describe('its settings', () => {
  it('keep it quiet', () => {
    expect(configOf({})).toEqual({
      autoupdate: false,
      share: 'disabled',
      snapshot: false,
      compaction: { prune: false },
    })
    expect(start().environment).toMatchObject({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    })
  })

  it('deny edits of the workspace in a phase that reads, and allow its result', () =>
    expect(configOf({ readOnly: true })).toMatchObject({
      permission: { edit: { '*': 'deny', '../alfred/out/*': 'allow' } },
    }))

  const baseUrl = 'https://models.example/v1'
  it('send a provider that it knows to another address', () =>
    expect(configOf({ provider: 'anthropic', baseUrl, model: 'big' })).toMatchObject({
      provider: { anthropic: { options: { baseURL: baseUrl }, models: { big: {} } } },
    }))

  it('tell it how to speak to a server that it does not know', () =>
    expect(configOf({ baseUrl, model: 'big' })).toMatchObject({
      provider: {
        custom: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: baseUrl },
          env: ['OPENAI_API_KEY'],
          models: { big: {} },
        },
      },
    }))
})

describe('its login', () => {
  const now = 1_800_000_000_000
  const read = (value: unknown) => adapter.login?.read(JSON.stringify(value), now)
  it.each([
    [{ anthropic: { type: 'api', key: 'x' } }, 'found'],
    [{ openai: { type: 'oauth', access: 'x', refresh: 'y', expires: now - 1 } }, 'found'],
    [{ openai: { type: 'oauth', access: 'x', refresh: '', expires: now - 1 } }, 'expired'],
    [{ openai: { type: 'oauth', access: 'x', expires: now + 1 } }, 'found'],
    [{ a: { type: 'oauth', access: 'x', refresh: '', expires: 1 }, b: { type: 'api', key: 'x' } }, 'found'],
    [{ anthropic: { type: 'api', key: '' } }, 'missing'],
    [{}, 'missing'],
    [[], 'missing'],
    [null, 'missing'],
  ])('%j is %s', (value, expected) => expect(read(value)).toBe(expected))
  const oauth = (expires: number, refresh = '') => ({ type: 'oauth', access: 'x', refresh, expires })
  it.each([
    ['with the last of its tokens', { a: oauth(now + 5), b: oauth(now + 9) }, now + 9],
    ['never with a key', { a: oauth(now + 5), b: { type: 'api', key: 'x' } }, null],
    ['never with a token that is renewed', { a: oauth(now + 5, 'r') }, null],
    ['never with a token without an end', { a: oauth(0) }, null],
    ['nowhere without a login', {}, null],
  ])('ends %s', (_, value, end) =>
    expect(createOpencodeAdapter().login?.endsAt?.(JSON.stringify(value))).toBe(end),
  )
  it('that is no JSON is missing', () => expect(adapter.login?.read('{', now)).toBe('missing'))
})
