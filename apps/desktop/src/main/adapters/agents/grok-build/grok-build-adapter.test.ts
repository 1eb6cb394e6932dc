import { describe, expect, it } from 'vitest'
import type { StartRequest } from '@main/ports/agent-adapter'
import { createGrokBuildAdapter } from './grok-build-adapter'
import { readToolOutput } from './tool-output'

const id = '0f3b9a52-5c1e-4d7a-9b60-2f1f0c9d8e77'
const name = 'agent/issue-7-sign-in'
const adapter = createGrokBuildAdapter()

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

describe('the command', () => {
  const prompt = ['--prompt-file', '/dev/stdin', '--verbatim', '--output-format', 'streaming-messages-json']
  const common = ['grok', ...prompt, '--always-approve']

  it.each([
    ['begins a session with our id', { mode: 'fresh', name, chosenId: id }, [`--session-id=${id}`]],
    ['resumes by id', { mode: 'resume', name, nativeId: id }, [`--resume=${id}`]],
    ['says nothing of a session where there is none', { mode: 'none' }, []],
  ] as const)('%s', (_what, session, words) => expect(start({ session }).argv).toEqual([...common, ...words]))

  it('takes a model as one word', () => expect(start({ model: '--help' }).argv.at(-1)).toBe('--model=--help'))

  it('denies edits of the workspace in a phase that reads', () => {
    const denied = (change: Partial<StartRequest>) =>
      start(change).argv.filter((word) => word.startsWith('--deny'))
    expect(denied({ readOnly: true })).toEqual(['--deny=Edit(/workspace/**)'])
    expect(denied({ readOnly: true, runner: 'host' })).toEqual(['--deny=Edit'])
    expect(denied({})).toEqual([])
  })

  it('attaches to a session in a terminal', () => {
    const attached = adapter.attach?.(request({ session: { mode: 'resume', name, nativeId: id } }))
    expect(attached?.argv).toEqual(['grok', '--always-approve', `--resume=${id}`])
  })

  it('attaches to a session that begins, with our id', () =>
    expect(
      adapter.attach?.(request({ session: { mode: 'fresh', name, chosenId: id }, model: 'm' })).argv,
    ).toEqual(['grok', '--always-approve', `--session-id=${id}`, '--model=m']))
})

describe('its file', () => {
  const configOf = (change: Partial<StartRequest>) => start(change).files['home-1'] ?? ''

  it('keeps it quiet and its sessions for ever, with nothing that stays behind', () => {
    const config = configOf({})
    for (const line of [
      'auto_update = false',
      'use_leader = false',
      'telemetry = false',
      'trace_upload = false',
      'turn_summary = false',
      'cleanup_ttl_days = 0',
    ])
      expect(config.split('\n')).toContain(line)
    expect(config).not.toContain('[model')
    expect(start().environment).toMatchObject({
      ALFRED_HOME_FILES: 'home-1=.grok/config.toml',
      GROK_DISABLE_AUTOUPDATER: '1',
      GROK_TELEMETRY_ENABLED: '0',
      GROK_TELEMETRY_TRACE_UPLOAD: '0',
    })
  })

  it('tells another server with its model and where its key is, never the key', () => {
    const baseUrl = 'https://models.example/v1'
    const lines = configOf({ baseUrl, model: 'big"one', provider: 'openai' }).split('\n')
    expect(lines.slice(-5)).toEqual([
      '[model."big\\"one"]',
      'model = "big\\"one"',
      `base_url = "${baseUrl}"`,
      'env_key = "OPENAI_API_KEY"',
      '',
    ])
    expect(configOf({ baseUrl, model: 'big' })).toContain('env_key = "XAI_API_KEY"')
    expect(start({ baseUrl }).environment).toMatchObject({ GROK_MODELS_BASE_URL: baseUrl })
    expect(start({ baseUrl, model: 'big' }).environment).not.toHaveProperty('GROK_MODELS_BASE_URL')
  })
})

describe('its state', () => {
  it('is known by what is said to the model, below a folder of sessions only', () => {
    expect(adapter.sessionFile(id)).toBe(`%2Fworkspace/${id}/chat_history.jsonl`)
    for (const { target } of adapter.login?.files ?? [])
      expect(target.startsWith(`${adapter.sessionStatePath}/`)).toBe(false)
  })
})

describe('its version', () => {
  it.each([
    ['grok 1.0.41 (4220f3b224a6)', '1.0.41'],
    ['warning: x\ngrok 1.0.5 (1234abcd)\n', '1.0.5'],
    // Another program of that name.
    ['grok 0.0.34', null],
    ['1.0.41', null],
  ])('%j is %s', (output, version) => expect(adapter.parseVersion(output)).toBe(version))
})

describe('its login', () => {
  it.each([
    ['{"https://auth.x.ai":{"access_token":"x"}}', 'found'],
    ['{}', 'missing'],
    ['[]', 'missing'],
    ['{', 'missing'],
  ])('%j is %s', (content, expected) => expect(adapter.login?.read(content, 0)).toBe(expected))
})

describe('what a tool answered', () => {
  it.each([
    ['[{"type":"content","content":{"type":"text","text":"a"}}]', { text: 'a', failed: false }],
    ['{"type":"Bash","output_for_prompt":"exit: 2","exit_code":2}', { text: 'exit: 2', failed: true }],
    ['{"type":"Bash","output_for_prompt":"x","exit_code":null}', { text: 'x', failed: false }],
    ['{"type":"ReadFile","FileContent":{"content":"1→a","raw_output":"a"}}', { text: 'a', failed: false }],
    ['{"type":"Other","Done":{"tool_output_for_prompt":"made"}}', { text: 'made', failed: false }],
    ['{"type":"Unknown","x":1}', { text: '{"type":"Unknown","x":1}', failed: false }],
    ['plain words', { text: 'plain words', failed: false }],
  ])('%j reads as %j', (output, expected) => expect(readToolOutput(output)).toEqual(expected))
})
