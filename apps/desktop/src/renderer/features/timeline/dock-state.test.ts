import { describe, expect, it } from 'vitest'
import type { TimelineRow } from '@shared/contract/sessions'
import { dockState, terminalReason } from './dock-state'

const row = (patch: Partial<TimelineRow>) =>
  ({ runId: 427, state: 'ended', mode: 'resume', endedAt: 1_000, ...patch }) as TimelineRow
const live = row({ runId: 431 as TimelineRow['runId'], state: 'running', endedAt: null })
const mailbox = (
  memoryRemovedAt: number | null = null,
  needsYou: 'push_needs_person' | 'unpushed_work' | 'blocked' | null = null,
) => ({
  memoryRemovedAt,
  needsYou,
})

describe('dockState', () => {
  it('lets a run be repeated when nothing else uses the issue', () => {
    expect(dockState(row({}), null, mailbox(), 0)).toEqual({
      retryReason: null,
      sentence: null,
      hasSession: true,
    })
  })

  it('says which run has to end first', () => {
    expect(dockState(row({}), live, mailbox(), 0)).toMatchObject({
      retryReason: 'waits for run 431',
      sentence: 'In use by run 431: chat and retry wait',
    })
    expect(dockState(live, live, mailbox(), 0).sentence).toBe(
      'Run 431 is live: chat and retry wait for its end',
    )
  })

  it('lets nothing be made on top of a push that waits, and all else be tried again', () => {
    for (const needsYou of ['push_needs_person', 'unpushed_work'] as const)
      expect(dockState(row({}), null, mailbox(null, needsYou), 0)).toMatchObject({
        retryReason: 'waits for your push',
        sentence: 'A push waits for you: retry waits',
      })
    expect(dockState(row({}), null, mailbox(null, 'blocked'), 0).retryReason).toBeNull()
  })

  it('says that a memory was removed, and lets the run start fresh', () => {
    const state = dockState(row({}), null, mailbox(2_000), 3_000)
    expect(state.sentence).toMatch(/^Memory removed at cleanup on .*: a retry starts fresh$/)
    expect(state.retryReason).toBeNull()
    expect(dockState(row({ endedAt: 2_500 }), null, mailbox(2_000), 3_000).sentence).toBeNull()
  })
})

describe('a terminal', () => {
  it('opens one at any time: who holds the session is told there, with what can be done', () => {
    expect(terminalReason(row({}), mailbox())).toBeNull()
    expect(terminalReason(live, mailbox(2_000))).toBeNull()
  })

  it('has nothing to open once the memory was removed', () => {
    expect(terminalReason(row({}), mailbox(2_000))).toBe('its memory was removed')
    expect(terminalReason(row({ endedAt: 3_000 }), mailbox(2_000))).toBeNull()
  })
})
