import { describe, expect, it } from 'vitest'
import type { ChatMemory, ChatTurn, OpenedChat } from '@shared/contract/chats'
import { fakeRow } from '../../../../test/fakes/window/fake-runs'
import {
  bannerWords,
  chatFigures,
  contextWarning,
  fallbackWords,
  memoryFigures,
  memoryStateWords,
  stateWords,
  turnFigures,
} from './chat-words'

const minute = 60_000
const now = Date.UTC(2026, 10, 30, 14, 0)

const chat = {
  runId: 427,
  phase: 'review_fix',
  isFresh: false,
  isReplay: false,
  stateBytes: 1_400_000,
  savedAt: now - 6 * minute,
} as OpenedChat

describe('the banner', () => {
  it('names the run, its phase, and how much is remembered', () => {
    expect(bannerWords(chat, null)).toEqual({
      title: 'Continues run 427, review fix.',
      text: 'The agent remembers everything up to there.',
    })
    expect(stateWords(chat, now)).toBe('1.4 MB, saved 6m ago')
    expect(stateWords({ stateBytes: null, savedAt: null }, now)).toBeNull()
  })

  it('promises no more than is remembered after a memory was lost', () =>
    expect(bannerWords(chat, 434 as OpenedChat['runId']).text).toBe(
      'The agent remembers everything from run 434 on, where a fresh memory began.',
    ))

  it('says that a replay is not the memory, and that a new chat has none', () => {
    expect(bannerWords({ ...chat, isReplay: true }, null).text).toContain('a replay of the transcript')
    expect(bannerWords({ ...chat, isReplay: true, isFresh: true }, null)).toEqual({
      title: 'A new chat, without a memory.',
      text: 'The agent does not remember it: with each message it is told a replay of the chat.',
    })
    expect(bannerWords({ ...chat, isFresh: true }, null).title).toBe('A new chat, with a fresh memory.')
  })
})

const row = fakeRow(
  {
    id: 434,
    phase: 'chat',
    ago: 26_000,
    took: 18_000,
    state: 'ended',
    startedAt: now - 26_000,
    badge: 'refused',
    nativeSessionId: 'd',
    costUsd: 0.06,
  },
  now,
)
const figures = { costUsd: 0.06, inputTokens: 1_000, cachedTokens: 19_000, outputTokens: 1_000 }
const lost: ChatTurn = {
  row: { ...row, resumeFallback: 'refused', adapter: 'claude-code', adapterVersion: '2.1' },
  failure: null,
  lostSessionId: null,
  notes: [],
  contextUsed: null,
  contextMax: null,
}

describe('a turn', () => {
  it('tells time, cost and tokens, and of one that goes on what is known so far', () => {
    const ended = { ...row, ...figures, startedAt: now - 18_000, endedAt: now }
    const figuresOf = (shown: typeof row, used: number | null = null) =>
      turnFigures({ row: shown, contextUsed: used, contextMax: used === null ? null : 200_000 }, now)
    expect(figuresOf(ended)).toBe('18s · $0.06 · 21k tok')
    expect(figuresOf(ended, 126_000)).toBe('18s · $0.06 · 21k tok · context 63 %')
    expect(figuresOf({ ...ended, costUsd: null })).toBe('18s · cost unknown · 21k tok')
    const live = { ...ended, state: 'running', startedAt: now - 26_000, endedAt: null } as const
    expect(figuresOf({ ...live, costUsd: 0.21 }, 126_000)).toBe('26s so far · $0.21')
    expect(figuresOf({ ...live, costUsd: null, startedAt: null })).toBe('')
  })

  it('that could not resume says which memory, why, and what became of the message', () => {
    expect(fallbackWords(lost, { lost: 'C', own: 'D' })).toEqual({
      title: 'This turn could not resume memory C.',
      reason: 'The CLI refused to resume it.',
      text: 'Nothing of memory C was changed. Your message was kept and answered by a fresh session, memory D, which has read the plan, the diff and the open threads again.',
    })
    expect(
      fallbackWords(
        { ...lost, row: { ...lost.row, resumeFallback: 'unsupported_version', state: 'running' } },
        { lost: null, own: null },
      ),
    ).toEqual({
      title: 'This turn could not resume the old memory.',
      reason: 'claude-code 2.1 cannot read its state.',
      text: 'Nothing of the old memory was changed. Your message was kept and given to a fresh session, which has read the plan, the diff and the open threads again.',
    })
  })

  it('that lost nothing has no such notice', () => {
    const turn = { ...lost, row: { ...lost.row, resumeFallback: 'no_prior_session' as const } }
    expect(fallbackWords(turn, { lost: null, own: 'A' })).toBeNull()
  })
})

describe('the context', () => {
  it.each([
    [79, 100, null],
    [null, 100, null],
    [79, null, null],
    [80, 100, ['warn', 'The context is 80 % full.']],
    [94, 100, ['warn', 'The context is 94 % full.']],
    [95, 100, ['bad', 'The context is almost full (95 %).']],
    [130, 100, ['bad', 'The context is almost full (130 %).']],
  ])('with %s of %s is told of: %j', (used, max, told) => {
    const warning = contextWarning(used, max)
    expect(warning === null ? null : [warning.tone, warning.title]).toEqual(told)
  })
})

describe('the memories and chats of an issue', () => {
  const memory: ChatMemory = {
    adapter: 'claude-code',
    nativeSessionId: 'a',
    runId: 1 as ChatMemory['runId'],
    runs: 5,
    usedAt: now,
    stateBytes: 2_400_000,
    state: 'ok',
    since: null,
  }

  it('say how large, how often and when', () => {
    expect(memoryFigures(memory, now)).toMatch(/^2\.4 MB · 5 runs · last \d/)
    expect(memoryFigures({ ...memory, stateBytes: null, runs: 1 }, now)).toMatch(/^size unknown · 1 run · /)
    expect(chatFigures({ at: now, turns: 2, costUsd: 0.18, costUnknown: 1 }, now)).toMatch(
      / · 2 turns · \$0\.18 \+ 1 unknown$/,
    )
  })

  it('say whether they can be continued', () => {
    expect(memoryStateWords(memory, false, now)).toBe('Can be continued')
    expect(memoryStateWords(memory, true, now)).toBe('In use by this chat')
    expect(memoryStateWords({ ...memory, state: 'lost', since: now }, true, now)).toMatch(
      /^Not resumed since /,
    )
    expect(memoryStateWords({ ...memory, state: 'removed', since: now }, false, now)).toMatch(
      /^Removed at cleanup on /,
    )
  })
})
