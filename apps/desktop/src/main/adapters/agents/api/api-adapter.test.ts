import { describe, expect, it } from 'vitest'
import type { EndedStart, StartRequest } from '@main/ports/agent-adapter'
import { installationCapability } from '@main/core/agents/installation-capability'
import { createApiAdapter } from './api-adapter'

const adapter = createApiAdapter({ program: { 'alfred-api-agent.mjs': 'the program' } })
const request = (change: Partial<StartRequest> = {}): StartRequest => ({
  session: { mode: 'none' },
  phase: 'analysis',
  model: 'some-model',
  provider: null,
  baseUrl: null,
  readOnly: true,
  runner: 'container',
  ...change,
})
const words = (...last: readonly string[]): readonly string[] => [
  'node',
  '/alfred/in/alfred-api-agent.mjs',
  ...last,
]

describe('a start of the api mode', () => {
  it.each<[string, Partial<StartRequest>, readonly string[], Readonly<Record<string, string>>]>([
    [
      'asks Anthropic where nobody names another one',
      {},
      words('--provider=anthropic', '--model=some-model', '--phase=analysis'),
      {},
    ],
    [
      'asks the provider, the model and the server that the settings name',
      { provider: 'openai', model: '--help', baseUrl: 'http://models.example/v1', phase: 'answer' },
      words('--provider=openai', '--model=--help', '--phase=answer'),
      { API_AGENT_BASE_URL: 'http://models.example/v1' },
    ],
    [
      'is the same with a session that begins: it has none',
      { session: { mode: 'fresh', name: 'agent/issue-1-x', chosenId: null } },
      words('--provider=anthropic', '--model=some-model', '--phase=analysis'),
      {},
    ],
  ])('%s', (_, change, argv, environment) => {
    expect(adapter.start(request(change))).toEqual({
      argv,
      environment,
      files: { 'alfred-api-agent.mjs': 'the program' },
    })
  })
})

describe('what the api mode can do', () => {
  it('is an analysis, an answer and a chat, with a model that somebody names, and no terminal', () => {
    expect(adapter).toMatchObject({ phases: ['analysis', 'answer', 'chat'], needsModel: true, attach: null })
  })

  it('is never to resume, and it says why', () => {
    expect(installationCapability({ ...adapter, runner: 'container', version: '1.0.0' })).toEqual({
      resumable: false,
      reason: 'Works without a CLI, so nothing to resume.',
    })
    const init = '{"type":"init","session_id":"11111111-1111-4111-8111-111111111111"}'
    expect(adapter.createParser().parse(init)).toEqual([])
  })
})

describe('an error of the provider', () => {
  const ended = (error: object, exitCode = 1): EndedStart => ({
    exitCode,
    stdoutTail: `torn"}\n${JSON.stringify({ type: 'error', status: null, code: 'unknown', message: 'said', retry_after_ms: null, retry_at: null, ...error })}\n{"type":"result","is_error":true,"text":"said"}\n`,
    stderrTail: '',
    sawSession: null,
    result: { succeeded: false, text: 'said' },
  })

  it.each([
    [{ status: 401, code: 'authentication_error' }, 'login'],
    [{ status: 401, code: 'invalid_api_key' }, 'login'],
    [{ status: 403, code: 'permission_error' }, 'login'],
    [{ code: 'no_key' }, 'login'],
    [{ status: 429, code: 'rate_limit_error' }, 'retryable'],
    [{ status: 408, code: 'unknown' }, 'retryable'],
    [{ status: 500, code: 'api_error' }, 'retryable'],
    [{ status: 529, code: 'overloaded_error' }, 'retryable'],
    [{ code: 'unreachable' }, 'retryable'],
    [{ code: 'cut' }, 'retryable'],
    [{ code: 'no_answer' }, 'retryable'],
    [{ status: 429, code: 'insufficient_quota' }, 'account_limit'],
    [{ status: 402, code: 'billing_error' }, 'account_limit'],
    [
      { status: 400, code: 'invalid_request_error', message: 'Your credit balance is too low to …' },
      'account_limit',
    ],
    [{ status: 400, code: 'context_length_exceeded' }, 'other'],
    [{ status: 404, code: 'not_found_error' }, 'other'],
    [{ status: 302, code: 'redirected' }, 'other'],
    [{ code: 'answer_too_long' }, 'other'],
    [{ code: 'too_many_turns' }, 'other'],
  ])('%j is %s', (error, type) => {
    expect(adapter.providerFailure(ended(error))?.type).toBe(type)
  })

  it('tells how long to wait, and until when the account is used up', () => {
    expect(adapter.providerFailure(ended({ status: 429, retry_after_ms: 7000 }))).toEqual({
      type: 'retryable',
      message: 'said',
      retryAfterMs: 7000,
    })
    expect(adapter.providerFailure(ended({ status: 429, retry_at: 1_800_000_000_000 }))).toMatchObject({
      type: 'account_limit',
      retryAt: 1_800_000_000_000,
    })
  })

  it('is none where the run went well, and never a failed resume', () => {
    expect(adapter.providerFailure(ended({ status: 429 }, 0))).toBeNull()
    expect(adapter.resumeFailure(ended({ status: 400, code: 'context_length_exceeded' }))).toBeNull()
  })
})
