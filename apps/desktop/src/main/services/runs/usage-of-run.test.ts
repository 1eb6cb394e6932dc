import { describe, expect, it } from 'vitest'
import { usageOfRun, type UsageEvent } from './usage-of-run'

const none = { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null }
const usage = (change: Partial<UsageEvent>): UsageEvent => ({
  kind: 'usage',
  ...none,
  contextUsed: 70,
  contextMax: null,
  turns: 1,
  ...change,
})
const sums = (inputTokens: number, outputTokens: number | null = null): UsageEvent =>
  usage({ inputTokens, outputTokens, isOfSession: true })

describe('the figures of a run', () => {
  it('are those of the session less what earlier runs used', () =>
    expect(usageOfRun(sums(203, 14), () => ({ ...none, inputTokens: 101, outputTokens: 7 }))).toEqual(
      usage({ inputTokens: 102, outputTokens: 7 }),
    ))

  it('are those of the session where nobody knows of earlier ones', () =>
    expect(usageOfRun(sums(203), () => none)).toEqual(usage({ inputTokens: 203 })))

  it('are its own where the sums were begun anew', () =>
    expect(usageOfRun(sums(90, 20), () => ({ ...none, inputTokens: 101, outputTokens: 7 }))).toEqual(
      usage({ inputTokens: 90, outputTokens: 20 }),
    ))

  it('are left alone where the CLI tells them per run', () => {
    const own = usage({ inputTokens: 5 })
    expect(
      usageOfRun(own, () => {
        throw new Error('asked for nothing')
      }),
    ).toBe(own)
  })
})
