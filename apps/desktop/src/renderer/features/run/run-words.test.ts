import { describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import { agentWords, attemptWords, formatLimit, lossWords, stateWords, triggerSentence } from './run-words'

type Row = RunDetail['row']
const row = (part: Partial<Row>): Row =>
  ({ state: 'running', outcome: null, startedAt: 0, endedAt: null, ...part }) as Row
const words = (part: Partial<Row>, nextAttemptAt: number | null = null): string =>
  stateWords({ row: row(part), nextAttemptAt }, 252_000).text

describe('the words of a run', () => {
  it('tells how it stands', () => {
    expect(words({})).toBe('Running 4m 12s')
    expect(words({ state: 'queued', startedAt: null })).toBe('Queued')
    expect(words({ state: 'queued', startedAt: null }, 292_000)).toBe('Queued, next try in 40s')
    expect(words({ state: 'ended', outcome: 'timed_out', endedAt: 1_800_000 })).toBe('Timed out 30m 00s')
    expect(words({ state: 'ended', outcome: 'interrupted', startedAt: null })).toBe('Interrupted')
  })

  it('tells what started it', () => {
    expect(triggerSentence({ trigger: 'plan_validated', requestedBy: 'nadia' })).toBe(
      'trigger: the plan was validated by nadia',
    )
    expect(triggerSentence({ trigger: 'demo', requestedBy: null })).toBe('trigger: the demo')
  })

  it('tells the agent, who serves its model, and the model', () => {
    const agent = {
      adapter: 'claude-code',
      adapterVersion: '2.1.332',
      provider: 'bedrock',
      model: 'opus',
    } as const
    expect(agentWords(agent)).toBe('claude-code 2.1.332 · bedrock · opus')
    expect(agentWords({ ...agent, adapterVersion: null, provider: null })).toBe('claude-code · opus')
  })

  it('tells what a run took that lost its memory, where that is known, and nothing where none was lost', () => {
    const ran = { nativeSessionId: 'id', state: 'ended' } as const
    const told = { ...ran, inputTokens: 31_000, cachedTokens: 151_000, outputTokens: 2000 }
    expect(lossWords({ resumeFallback: 'state_missing', ...told })).toEqual({
      text: 'The memory was lost: this run took 184k tokens.',
      tokens: 184_000,
    })
    expect(lossWords({ resumeFallback: 'refused', ...told, cachedTokens: null })?.tokens).toBe(33_000)
    const unknown = { ...ran, inputTokens: null, cachedTokens: null, outputTokens: null }
    expect(lossWords({ resumeFallback: 'refused', ...unknown })).toEqual({
      text: 'The memory was lost; what this run took is unknown.',
      tokens: null,
    })
    for (const resumeFallback of [null, 'no_prior_session', 'adapter_changed'] as const)
      expect(lossWords({ resumeFallback, ...told })).toBeNull()
    const timedOut = { ...told, nativeSessionId: null }
    expect(lossWords({ resumeFallback: 'state_missing', ...timedOut })).toBeNull()
  })

  it('counts attempts and retries apart', () => {
    const attempts: RunDetail['attempts'] = [
      { number: 1, outcome: 'interrupted', startedAt: 0, endedAt: 1, starts: [] },
      {
        number: 2,
        outcome: null,
        startedAt: 2,
        endedAt: null,
        starts: [{ kind: 'fallback', exitCode: null, startedAt: 3, endedAt: null }],
      },
    ]
    expect(attemptWords({ attempts, timeoutMs: 2_700_000, llmRetries: 1 })).toBe(
      'attempt 2 · limit 45m · started again fresh · 1 retry after a provider error',
    )
  })

  it.each([
    [2_700_000, '45m'],
    [7_200_000, '2h'],
    [5_400_000, '1h 30m'],
    [90_000, '1m 30s'],
  ])('writes a limit of %d ms as %s', (ms, text) => {
    expect(formatLimit(ms)).toBe(text)
  })
})
