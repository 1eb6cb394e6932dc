import { describe, expect, it } from 'vitest'
import { isInRanges } from '@main/core/agents/version-range'
import type { StartRequest } from '@main/ports/agent-adapter'
import { createClaudeCodeAdapter } from './claude-code-adapter'

const id = '0f3b9a52-5c1e-4d7a-9b60-2f1f0c9d8e77'
const name = 'agent/issue-7-sign-in'
const adapter = createClaudeCodeAdapter()

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
const settingsOf = (change: Partial<StartRequest>): unknown => JSON.parse(start(change).files['home-1'] ?? '')

describe('the command', () => {
  const common = [
    '--output-format',
    'stream-json',
    '--verbose',
    '--dangerously-skip-permissions',
    '--settings',
    '/home/agent/.claude/settings.json',
  ]

  it('begins a session with our id and its name', () =>
    expect(start({ session: { mode: 'fresh', name, chosenId: id } }).argv).toEqual([
      'claude',
      '-p',
      '--session-id',
      id,
      `--name=${name}`,
      ...common,
    ]))

  it('resumes by id and keeps the name', () =>
    expect(start({ session: { mode: 'resume', name, nativeId: id } }).argv).toEqual([
      'claude',
      '-p',
      '--resume',
      id,
      `--name=${name}`,
      ...common,
    ]))

  it('tells a person who talks with it what it is writing, in every version in which sessions apply', () => {
    const session = { mode: 'resume', name, nativeId: id } as const
    expect(start({ phase: 'chat', session }).argv).toContain('--include-partial-messages')
    expect(start({ phase: 'chat' }).argv).not.toContain('--include-partial-messages')
    expect(start({ session }).argv).not.toContain('--include-partial-messages')
  })

  it('says nothing of a session where there is none', () =>
    expect(start().argv).toEqual(['claude', '-p', ...common]))

  it('keeps no session on the host, where nothing is a sandbox', () => {
    const { argv, environment } = start({ runner: 'host' })
    expect(argv).toEqual(['claude', '-p', ...common.slice(0, -2), '--no-session-persistence'])
    expect(environment).not.toHaveProperty('IS_SANDBOX')
    expect(start().environment).toMatchObject({ IS_SANDBOX: '1' })
  })

  it('takes a model as one word', () => expect(start({ model: '--help' }).argv.at(-1)).toBe('--model=--help'))

  it('attaches to a session in a terminal, with its questions answered', () => {
    const attached = adapter.attach?.({
      session: { mode: 'resume', name, nativeId: id },
      model: null,
      provider: null,
      baseUrl: null,
      readOnly: false,
    })
    expect(attached?.argv).toEqual(['claude', '--resume', id, `--name=${name}`, ...common.slice(3)])
    expect(JSON.parse(attached?.files['home-2'] ?? '')).toEqual({
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: ['@KEY_END@'] },
      projects: { '/workspace': { hasTrustDialogAccepted: true } },
    })
    expect(attached?.environment).toMatchObject({
      ALFRED_HOME_FILES: 'home-1=.claude/settings.json home-2=.claude.json',
      ALFRED_KEY_END: 'ANTHROPIC_API_KEY=.claude.json',
    })
  })

  it('attaches to a session that begins as a run begins one', () => {
    const session = { mode: 'fresh', name, chosenId: id } as const
    const attached = adapter.attach?.({ session, model: 'm', provider: null, baseUrl: null, readOnly: false })
    expect(attached?.argv).toEqual([
      'claude',
      '--session-id',
      id,
      `--name=${name}`,
      ...common.slice(3),
      '--model=m',
    ])
  })

  it('agrees to a key only where a person would be asked', () => {
    expect(start().files['home-2']).not.toContain('customApiKeyResponses')
    expect(start().environment).not.toHaveProperty('ALFRED_KEY_END')
  })

  it('names sessions only of versions that know names', () => {
    const knowNames = [{ from: '2.1.90', to: '9999.0.0' }]
    for (const { from } of adapter.resumeVersions) expect(isInRanges(from, knowNames)).toBe(true)
  })
})

describe('its files', () => {
  it('keep sessions for years and deny work in another tree', () =>
    expect(settingsOf({})).toEqual({
      cleanupPeriodDays: 3650,
      skipDangerousModePermissionPrompt: true,
      permissions: { deny: ['EnterWorktree'] },
    }))

  it('deny edits of the workspace in a phase that reads', () =>
    expect(settingsOf({ readOnly: true })).toMatchObject({
      permissions: { deny: ['EnterWorktree', 'Edit(./**)'] },
    }))
})

describe('the provider', () => {
  const environmentOf = (provider: string | null, baseUrl: string | null) =>
    start({ provider, baseUrl }).environment
  const url = 'https://models.example'

  it('is the own one, unless another is named', () => {
    expect(Object.keys(environmentOf(null, null)).filter((key) => /USE_|BASE_URL/.test(key))).toEqual([])
    expect(environmentOf(null, url)).toMatchObject({ ANTHROPIC_BASE_URL: url })
    expect(environmentOf('anthropic', url)).toMatchObject({ ANTHROPIC_BASE_URL: url })
  })

  it.each([
    ['bedrock', 'CLAUDE_CODE_USE_BEDROCK', 'ANTHROPIC_BEDROCK_BASE_URL'],
    ['vertex', 'CLAUDE_CODE_USE_VERTEX', 'ANTHROPIC_VERTEX_BASE_URL'],
    ['foundry', 'CLAUDE_CODE_USE_FOUNDRY', 'ANTHROPIC_FOUNDRY_BASE_URL'],
  ])('%s is switched on and addressed by its own variables', (provider, variable, address) => {
    expect(environmentOf(provider, url)).toMatchObject({ [variable]: '1', [address]: url })
    expect(environmentOf(provider, url)).not.toHaveProperty('ANTHROPIC_BASE_URL')
    expect(environmentOf(provider, null)).not.toHaveProperty(address)
  })
})
