import { describe, expect, test } from 'vitest'
import type { TimelineRow } from '../contract/sessions'
import type { RunId, SessionId } from '../model/ids'
import { memoryBreakOf } from './memory-break'
import { breakSentence, rowSentence } from './row-sentence'

const minutes = (m: number, s = 0): number => (m * 60 + s) * 1_000

const timelineRow = (patch: Partial<TimelineRow> = {}): TimelineRow => ({
  runId: 427 as RunId,
  sessionId: 9 as SessionId,
  phase: 'review_fix',
  state: 'ended',
  outcome: 'succeeded',
  adapter: 'claude-code',
  adapterVersion: '2.1.0',
  provider: null,
  model: 'sonnet-4.5',
  runner: 'container',
  attempts: 1,
  sessionName: 'agent/issue-128-x',
  nativeSessionId: 'c0ffee00-0000-4000-8000-000000000000',
  requestedSessionId: '7c1e44d0-9f1a-4b2c-8d3e-aaaaaaaaaaaa',
  mode: 'resume',
  resumed: false,
  resumeFallback: 'state_missing',
  sessionOffReason: null,
  badge: 'state_missing',
  stateBytesBefore: 1_200_000,
  stateBytesAfter: 20_000,
  stateSavedAt: 1_000_000,
  idSetAside: false,
  isImported: false,
  startedAt: minutes(300),
  createdAt: 1_000_000 + minutes(215),
  endedAt: minutes(314, 2),
  costUsd: 1.71,
  inputTokens: 84_000,
  cachedTokens: 500_000,
  outputTokens: 20_000,
  turns: 12,
  commits: 2,
  result: 'pushed 2 commits',
  ...patch,
})
const say = (patch: Partial<TimelineRow>, letter: string | null = 'C') =>
  rowSentence({ row: timelineRow(patch), letter, position: 7, total: 9, now: minutes(305, 5) })

describe('rowSentence', () => {
  test('is the sentence of the interface page', () => {
    expect(say({})).toBe(
      'Review fix, run 427, claude-code sonnet-4.5. Fell back, state missing: asked for 7c1e44d0, got memory C. ' +
        '14 minutes 2 seconds, 1 dollar 71, 604 thousand tokens. Pushed 2 commits. Row 7 of 9.',
    )
  })

  test.each([
    [{ badge: 'resumed' }, 'Resumed, memory C.'],
    [{ badge: 'no_prior_session' }, 'Fresh, first run, memory C.'],
    [{ badge: 'adapter_changed' }, 'Fresh, adapter changed, memory C.'],
    [{ badge: 'chosen_fresh' }, 'Fresh, your choice, memory C.'],
    [{ badge: 'chosen_fresh', isImported: true }, 'Forked by hand, memory C.'],
    [{ badge: 'chosen_fresh', isImported: true, requestedSessionId: null }, 'Bound by hand, memory C.'],
    [{ badge: 'pending' }, 'Resuming: asked for 7c1e44d0.'],
    [{ badge: 'pending', requestedSessionId: null }, 'Memory decided at the start.'],
    [{ badge: 'unproven' }, 'Resume not proven: asked for 7c1e44d0.'],
    [
      { badge: 'refused', idSetAside: true },
      'Fell back, refused: asked for 7c1e44d0, not tried, got memory C.',
    ],
    [{ badge: 'none', sessionOffReason: 'host_runner' }, 'No session: host runner.'],
    [{ attempts: 3 }, 'claude-code sonnet-4.5, 3 attempts.'],
    [{ provider: 'bedrock' }, 'claude-code sonnet-4.5, provider bedrock.'],
    [
      { costUsd: null, inputTokens: null, cachedTokens: null, outputTokens: null },
      'cost unknown, tokens unknown.',
    ],
    [
      { state: 'running', outcome: null, endedAt: null, result: null },
      '5 minutes 5 seconds, 1 dollar 71, 604 thousand tokens. Running.',
    ],
    [{ state: 'queued', outcome: null, startedAt: null, endedAt: null }, 'Not started, 1 dollar 71'],
    [{ outcome: 'timed_out', result: null }, 'Timed out. Row 7 of 9.'],
  ] as const)('says %o as "%s"', (patch, words) => {
    expect(say(patch)).toContain(words)
  })

  test('says that no id was reported where the row has no memory', () => {
    expect(say({ badge: 'no_prior_session' }, null)).toContain('Fresh, first run, no id reported.')
  })
})

describe('a break in memory', () => {
  test('carries the facts of what was lost and what it costs', () => {
    const gap = memoryBreakOf(timelineRow(), 'A', null)
    expect(gap).toEqual({
      letter: 'A',
      reason: 'state_missing',
      requestedId: '7c1e44d0-9f1a-4b2c-8d3e-aaaaaaaaaaaa',
      stateBytes: 1_200_000,
      ageMs: minutes(215),
      costUsd: 1.71,
      isNotTried: false,
      wasTried: true,
      isRemoved: false,
      beganFresh: true,
      canRetry: true,
    })
    expect(gap && breakSentence(gap)).toBe(
      'Memory A ends here. State missing: asked for 7c1e44d0, 1.2 megabytes, 3 hours 35 minutes old. Ran fresh.',
    )
  })

  test('tells a memory that was removed at cleanup between its save and the run, and no other', () => {
    const row = timelineRow({ mode: 'fresh' })
    const at = (removedAt: number) => memoryBreakOf(row, 'A', removedAt)
    const gone = at(row.createdAt - 1)
    expect(gone).toMatchObject({ isRemoved: true, wasTried: false, canRetry: false })
    expect(gone && breakSentence(gone)).toContain(
      'Memory A ends here. Removed at cleanup: asked for 7c1e44d0',
    )
    expect(at(row.createdAt + 1)).toMatchObject({ isRemoved: false, canRetry: false })
    expect(at(999_999)).toMatchObject({ isRemoved: false, canRetry: true })
    expect(memoryBreakOf({ ...row, stateSavedAt: null }, 'A', 5)).toMatchObject({ isRemoved: false })
  })

  test('does not say that a run went on which ended before it had a fresh session', () => {
    const gap = memoryBreakOf(timelineRow({ nativeSessionId: null }), 'A', null)
    expect(gap && breakSentence(gap)).toBe(
      'Memory A was not resumed. State missing: asked for 7c1e44d0, 1.2 megabytes, 3 hours 35 minutes old. No fresh session began.',
    )
    expect(memoryBreakOf(timelineRow({ nativeSessionId: null, state: 'running' }), 'A', null)).toMatchObject({
      beganFresh: true,
    })
  })

  test('cannot be mended once the memory was removed, and does not exist where nothing was lost', () => {
    expect(memoryBreakOf(timelineRow(), 'A', 5_000_000)).toMatchObject({ canRetry: false })
    expect(memoryBreakOf(timelineRow({ resumeFallback: 'adapter_changed' }), 'A', null)).toBeNull()
    expect(memoryBreakOf(timelineRow({ resumeFallback: null }), 'A', null)).toBeNull()
  })
})
