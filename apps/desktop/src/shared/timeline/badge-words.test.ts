import { describe, expect, it } from 'vitest'
import type { TimelineRow } from '../contract/sessions'
import { badgeSentence, badgeTexts, stateFacts } from './badge-words'

const hour = 3_600_000
const row = (part: Partial<TimelineRow>): TimelineRow =>
  ({
    badge: 'resumed',
    adapter: 'claude-code',
    adapterVersion: '2.2.0',
    nativeSessionId: '7c1e44d0-3b52-4f0e-8d61-6a0f0d0f9b2f',
    requestedSessionId: '7c1e44d0-3b52-4f0e-8d61-6a0f0d0f9b2f',
    stateBytesBefore: 2_100_000,
    stateSavedAt: 0,
    startedAt: hour,
    createdAt: hour,
    sessionOffReason: null,
    ...part,
  }) as TimelineRow

describe('the words of the memory badge', () => {
  it.each([
    [{}, 'Remembered. The first event carried 7c1e44d0…9b2f. State 2.1 MB, 1h 00m old.'],
    [{ badge: 'pending' }, 'Asked to continue 7c1e44d0…9b2f. Waiting for the agent to prove it.'],
    [{ badge: 'no_prior_session' }, 'First session of this issue with claude-code. Nothing to remember yet.'],
    [{ badge: 'adapter_changed', adapter: 'codex' }, 'codex has no session here. Memory A of claude-code is kept.'],
    [{ badge: 'state_missing' }, 'Asked for 7c1e44d0…9b2f (2.1 MB, 1h 00m old). Its state is gone. Ran fresh.'],
    [{ badge: 'unsupported_version' }, 'claude-code 2.2.0 cannot read this state. Ran fresh.'],
    [{ badge: 'refused' }, 'The CLI refused to resume 7c1e44d0…9b2f. Ran fresh.'],
    [{ badge: 'chosen_fresh' }, 'A person asked for a fresh start. Memory A is kept.'],
    [
      { badge: 'unproven' },
      'Asked to continue 7c1e44d0…9b2f; the run ended before the agent proved it. Memory A is kept.',
    ],
    [{ badge: 'none', sessionOffReason: 'host_runner' }, 'Sessions do not apply here: host runner.'],
  ] as const)('say for %j the sentence of the design', (part, sentence) => {
    expect(badgeSentence(row(part), { letter: 'A', adapter: 'claude-code' })).toBe(sentence)
  })

  it('have two or three words for each value', () => {
    for (const text of Object.values(badgeTexts)) expect(text.split(' ').length).toBeLessThanOrEqual(5)
  })

  it('leave out what is not known', () => {
    expect(stateFacts(row({ stateBytesBefore: null, stateSavedAt: null }))).toBeNull()
    expect(stateFacts(row({ stateSavedAt: null }))).toBe('2.1 MB')
  })
})
