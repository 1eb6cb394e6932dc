import { describe, expect, it } from 'vitest'
import type { StartRequest } from '@main/ports/agent-adapter'
import { createCopilotAdapter } from './copilot-adapter'

const id = '0f3b9a52-5c1e-4d7a-9b60-2f1f0c9d8e77'
const name = 'agent/issue-7-sign-in'
const adapter = createCopilotAdapter()

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
  const quiet = ['--no-auto-update', '--disable-client-telemetry']
  const common = ['copilot', '--output-format', 'json', '--allow-all', ...quiet]

  it.each([
    [
      'begins a session with our id and its name',
      { mode: 'fresh', name, chosenId: id },
      [`--session-id=${id}`, `--name=${name}`],
    ],
    // `--session-id` would begin another session where it finds none, and a name is refused there.
    ['resumes by id, with nothing else', { mode: 'resume', name, nativeId: id }, [`--resume=${id}`]],
    ['says nothing of a session where there is none', { mode: 'none' }, []],
  ] as const)('%s', (_what, session, words) => expect(start({ session }).argv).toEqual([...common, ...words]))

  it('takes a model as one word', () => expect(start({ model: '--help' }).argv.at(-1)).toBe('--model=--help'))

  it('denies edits of the workspace in a phase that reads', () => {
    const denied = (change: Partial<StartRequest>) =>
      start(change).argv.filter((word) => word.startsWith('--deny-tool'))
    expect(denied({ readOnly: true })).toEqual(['--deny-tool=write(/workspace/**)'])
    expect(denied({ readOnly: true, runner: 'host' })).toEqual(['--deny-tool=write'])
    expect(denied({})).toEqual([])
  })

  it('attaches to a session in a terminal, in a folder that is trusted', () => {
    const attached = adapter.attach?.(request({ session: { mode: 'resume', name, nativeId: id } }))
    expect(attached?.argv).toEqual(['copilot', ...quiet, `--resume=${id}`])
    expect(attached?.environment).toMatchObject({ COPILOT_ALLOW_ALL: 'true' })
    expect(start().environment).not.toHaveProperty('COPILOT_ALLOW_ALL')
  })

  it('attaches to a session that begins, with our id and its name', () =>
    expect(
      adapter.attach?.(request({ session: { mode: 'fresh', name, chosenId: id }, model: 'm' })).argv,
    ).toEqual(['copilot', ...quiet, `--session-id=${id}`, `--name=${name}`, '--model=m']))
})

describe('its settings', () => {
  it('keep it quiet, in a file that is none of its login', () => {
    const { environment, files } = start()
    expect(environment).toMatchObject({
      COPILOT_AUTO_UPDATE: 'false',
      ALFRED_HOME_FILES: 'home-1=.copilot/settings.json',
    })
    expect(JSON.parse(files['home-1'] ?? '')).toMatchObject({
      autoUpdate: false,
      banner: 'never',
      memory: false,
    })
    expect(adapter.login?.files.map(({ target }) => target)).not.toContain(
      '/home/agent/.copilot/settings.json',
    )
  })
})

describe('the provider', () => {
  const url = 'https://models.example/v1'
  const told = (change: Partial<StartRequest>) =>
    Object.fromEntries(
      Object.entries(start(change).environment).filter(([key]) => /PROVIDER|OFFLINE|MODEL/.test(key)),
    )

  it.each([
    [{}, {}],
    [{ provider: 'github', model: 'big' }, {}],
    [
      { baseUrl: url, model: 'big' },
      { COPILOT_PROVIDER_BASE_URL: url, COPILOT_OFFLINE: 'true', COPILOT_MODEL: 'big' },
    ],
    [
      { baseUrl: url, provider: 'anthropic' },
      { COPILOT_PROVIDER_BASE_URL: url, COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_TYPE: 'anthropic' },
    ],
  ])('%j is told as %j', (change, expected) => expect(told(change)).toEqual(expected))
})

describe('its state', () => {
  it('is a file for each session, below a folder of sessions only', () => {
    expect(adapter.sessionFile(id)).toBe(`${id}/events.jsonl`)
    for (const { target } of adapter.login?.files ?? [])
      expect(target.startsWith(`${adapter.sessionStatePath}/`)).toBe(false)
  })
})

describe('its version', () => {
  it.each([
    ["GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.", '1.0.102'],
    ['0.0.351\nCommit: 1234abc', '0.0.351'],
    ["GitHub Copilot CLI 1.0.89-0.\nRun 'copilot update' to check for updates.", '1.0.89-0'],
    ['copilot: not found', null],
  ])('%j is %s', (output, version) => expect(adapter.parseVersion(output)).toBe(version))
})

describe('its login', () => {
  it.each([
    ['// managed\n// by the CLI\n{"copilotTokens":{"https://github.com:me":"x"}}', 'found'],
    ['{"copilotTokens":{}}', 'missing'],
    ['{"firstLaunchAt":"x"}', 'missing'],
    ['{', 'missing'],
  ])('%j is %s', (content, expected) => expect(adapter.login?.read(content, 0)).toBe(expected))
})
