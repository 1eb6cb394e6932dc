import { describe, expect, it } from 'vitest'
import type { StartRequest } from '@main/ports/agent-adapter'
import { createCodexAdapter } from './codex-adapter'

const id = '01a227a5-df37-76c2-a883-a8c71c10dd0b'
const name = 'agent/issue-7-sign-in'
const adapter = createCodexAdapter()

const start = (change: Partial<StartRequest> = {}) =>
  adapter.start({
    session: { mode: 'none' },
    phase: 'development',
    model: null,
    provider: null,
    baseUrl: null,
    readOnly: false,
    runner: 'container',
    ...change,
  })
const attach = (session: StartRequest['session']) =>
  adapter.attach?.({ session, model: 'gpt-x', provider: null, baseUrl: null, readOnly: false })
const configurationOf = (change: Partial<StartRequest> = {}): string => start(change).files['home-1'] ?? ''

describe('the command', () => {
  const common = [
    'codex',
    'exec',
    '--json',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
  ]

  it('says nothing of a session where there is none', () => expect(start().argv).toEqual([...common, '-']))

  it('is the same for a session that begins: the CLI gives the id', () => {
    const fresh = start({ session: { mode: 'fresh', name, chosenId: null } })
    expect(fresh).toEqual(start())
  })

  it('resumes by id, with the options before it', () =>
    expect(start({ session: { mode: 'resume', name, nativeId: id } }).argv).toEqual([
      ...common,
      'resume',
      id,
      '-',
    ]))

  it('gives the session its name as a label once it has an id, in a run and in a terminal', () => {
    const resume = { mode: 'resume', name, nativeId: id } as const
    const line = `{"id":"${id}","thread_name":"${name}","updated_at":"2000-01-01T00:00:00Z"}\n`
    for (const { files, environment } of [start({ session: resume }), attach(resume) ?? start()]) {
      expect(files['home-2']).toBe(line)
      expect(environment['ALFRED_HOME_FILES']).toContain('home-2=.codex/session_index.jsonl')
    }
    expect(Object.keys(start({ session: { mode: 'fresh', name, chosenId: null } }).files)).toEqual(['home-1'])
  })

  it.each(['', 'not-a-uuid', name, id.toUpperCase(), '/etc/passwd', id.replaceAll('-', '')])(
    'never asks for %j, with which the CLI could begin a new session without a word',
    (nativeId) =>
      expect(() => start({ session: { mode: 'resume', name, nativeId } })).toThrow(
        'must not reach a command line',
      ),
  )

  it('takes a model as one word', () => {
    expect(start({ model: '--help' }).argv).toEqual([...common, '--model=--help', '-'])
    const resumed = start({ model: 'gpt-x', session: { mode: 'resume', name, nativeId: id } })
    expect(resumed.argv).toEqual([...common, '--model=gpt-x', 'resume', id, '-'])
  })

  it('keeps no session on the host', () =>
    expect(start({ runner: 'host' }).argv).toEqual([...common, '--ephemeral', '-']))

  it('attaches to a session in a terminal, and leaves no process behind', () => {
    const attached = attach({ mode: 'resume', name, nativeId: id })
    expect(attached?.argv).toEqual([
      'codex',
      'resume',
      id,
      '--dangerously-bypass-approvals-and-sandbox',
      '--model=gpt-x',
    ])
    expect(attached?.files['home-1']).toContain('daemon_auto_start = false')
  })

  it('attaches to a session that begins: the CLI gives the id', () =>
    expect(attach({ mode: 'fresh', name, chosenId: null })?.argv).toEqual([
      'codex',
      '--dangerously-bypass-approvals-and-sandbox',
      '--model=gpt-x',
    ]))

  it('stays with its model in a terminal: no other one is offered before the screen opens', () => {
    const text = attach({ mode: 'resume', name, nativeId: id })?.files['home-1'] ?? ''
    const [, offered] = text.split('[notice.model_migrations]\n')
    expect(offered).toContain('"gpt-5.5" = "gpt-6-sol"\n')
    expect(offered).toContain('"gpt-5.6-luna" = "gpt-6-luna"\n')
    expect(offered).toContain('gpt-5 = "gpt-5.3-codex"\n')
    expect(configurationOf()).not.toContain('model_migrations')
  })
})

describe('its files', () => {
  it('ask nothing, tell nobody, and leave the sessions as they are', () =>
    expect(configurationOf()).toBe(`check_for_update_on_startup = false
cli_auth_credentials_store = "file"

[history]
persistence = "none"

[analytics]
enabled = false

[feedback]
enabled = false

[features]
plugins = false
daemon_auto_start = false
local_thread_store_compression = false
background_paginated_rollout_migration = false

[projects."/workspace"]
trust_level = "trusted"
`))

  it("name the model's server, with the CLI's own login", () => {
    const text = configurationOf({ baseUrl: 'https://models.example/"v1"' })
    expect(text).toContain('model_provider = "alfred"\n')
    expect(text).toContain(`[model_providers.alfred]
name = "alfred"
base_url = "https://models.example/\\"v1\\""
wire_api = "responses"
requires_openai_auth = true
`)
  })

  it('are one where no session is resumed', () => {
    const { files, environment } = start()
    expect(Object.keys(files)).toEqual(['home-1'])
    expect(environment).toEqual({ ALFRED_HOME_FILES: 'home-1=.codex/config.toml' })
  })
})

describe('the login', () => {
  const now = Date.parse('2026-11-30T00:00:00Z')
  const token = (expiresAt: number): string =>
    ['e30', Buffer.from(JSON.stringify({ exp: expiresAt / 1000 })).toString('base64url'), 'x'].join('.')
  const read = (value: unknown) => adapter.login?.read(JSON.stringify(value), now)

  it.each([
    ['found', { OPENAI_API_KEY: 'sk-x' }],
    ['found', { OPENAI_API_KEY: null, tokens: { access_token: token(now + 1000) } }],
    ['found', { tokens: { access_token: token(now - 1000), refresh_token: 'r' } }],
    ['found', { tokens: { access_token: 'opaque' } }],
    ['expired', { tokens: { access_token: token(now - 1000), refresh_token: '' } }],
    ['missing', { OPENAI_API_KEY: '', tokens: null }],
    ['missing', { OPENAI_API_KEY: 7 }],
    ['missing', {}],
    ['missing', []],
  ])('is %s in %j', (state, content) => expect(read(content)).toBe(state))

  it.each([
    ['a key', { OPENAI_API_KEY: 'sk-x', tokens: { access_token: token(now) } }, null],
    ['a token that cannot be renewed', { tokens: { access_token: token(now + 1000) } }, now + 1000],
    ['one that can', { tokens: { access_token: token(now + 1000), refresh_token: 'r' } }, null],
    ['one that does not say', { tokens: { access_token: 'opaque' } }, null],
    ['nothing', {}, null],
  ])('ends, with %s', (_, content, end) => expect(adapter.login?.endsAt?.(JSON.stringify(content))).toBe(end))

  it('is missing in what is no JSON', () => expect(adapter.login?.read('{', now)).toBe('missing'))
})
