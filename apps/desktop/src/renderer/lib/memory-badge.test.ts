import { describe, expect, it } from 'vitest'
import { badgeSentence, badgeText, badgeTextOf } from './memory-badge'

const row = {
  badge: 'resumed',
  adapter: 'claude-code',
  adapterVersion: '2.2.0',
  nativeSessionId: '7c1e44d0-3b52-4f0e-8d61-6a0f0d0f9b2f',
  requestedSessionId: '7c1e44d0-3b52-4f0e-8d61-6a0f0d0f9b2f',
  stateBytesBefore: 2_100_000,
  stateSavedAt: 0,
  createdAt: 58 * 60_000,
  sessionOffReason: null,
  isImported: false,
  state: 'ended',
  phase: 'development',
} as const

describe('the sentence of a memory badge', () => {
  it('names id, size and age of what was remembered', () => {
    expect(badgeSentence(row)).toBe(
      'Remembered. The first event carried 7c1e44d0…9b2f. State 2.1 MB, 58m old.',
    )
  })

  it('tells what proved it where the id comes at the end, or not at all', () => {
    expect(badgeSentence({ ...row, adapter: 'copilot' })).toBe(
      'Remembered. copilot tells its id at the end; the state of 7c1e44d0…9b2f grew in this run. State 2.1 MB, 58m old.',
    )
    expect(badgeSentence({ ...row, phase: 'terminal' })).toBe(
      'Remembered. A terminal tells no id; the state of 7c1e44d0…9b2f grew in it. State 2.1 MB, 58m old.',
    )
  })

  it('leaves out what is not known', () => {
    expect(badgeSentence({ ...row, stateBytesBefore: null, stateSavedAt: null })).toBe(
      'Remembered. The first event carried 7c1e44d0…9b2f.',
    )
  })

  it('says what was asked for and lost', () => {
    expect(badgeSentence({ ...row, badge: 'state_missing' })).toBe(
      'Asked for 7c1e44d0…9b2f (2.1 MB, 58m old). Its state is gone. Ran fresh.',
    )
    expect(badgeSentence({ ...row, badge: 'unsupported_version' })).toBe(
      'claude-code 2.2.0 cannot read this state. Ran fresh.',
    )
  })

  it('does not say that a run went on which ended before it had a fresh session', () => {
    const lost = { ...row, badge: 'refused', nativeSessionId: null } as const
    expect(badgeSentence(lost)).toBe(
      'The CLI refused to resume 7c1e44d0…9b2f. The run ended before a fresh session began.',
    )
    expect(badgeSentence({ ...lost, state: 'running' })).toContain('Ran fresh.')
  })

  it('claims no resume for a run that has not asked for anything yet', () => {
    const waiting = { ...row, badge: 'pending', requestedSessionId: null } as const
    expect(badgeTextOf(waiting)).toBe('Not started yet')
    expect(badgeSentence(waiting)).toBe('Which memory it goes on with is decided when it starts.')
    expect(badgeTextOf({ ...row, badge: 'pending' })).toBe('Resuming…')
  })

  it('tells a session that no run made: bound, or forked from another one', () => {
    const bound = { ...row, badge: 'chosen_fresh', isImported: true, requestedSessionId: null } as const
    expect(badgeTextOf(bound)).toBe('Bound by hand')
    expect(badgeSentence(bound)).toContain('bound it to this issue. The next run goes on with it.')
    const forked = { ...row, badge: 'chosen_fresh', isImported: true } as const
    expect(badgeTextOf(forked)).toBe('Forked by hand')
    expect(badgeSentence(forked)).toContain('copied what could be read of 7c1e44d0…9b2f.')
  })

  it('says which memory is kept', () => {
    const kept = { letter: 'A', adapter: 'claude-code', isRemoved: false }
    expect(badgeSentence({ ...row, badge: 'adapter_changed', adapter: 'codex' }, kept)).toBe(
      'codex has no session here. Memory A of claude-code is kept.',
    )
    expect(badgeSentence({ ...row, badge: 'chosen_fresh' }, kept)).toBe(
      'A person asked for a fresh start. Memory A is kept.',
    )
    expect(badgeSentence({ ...row, badge: 'chosen_fresh' }, { ...kept, isRemoved: true })).toBe(
      'A person asked for a fresh start. Memory A was removed at cleanup.',
    )
  })

  it('gives the reason where sessions do not apply', () => {
    expect(badgeSentence({ ...row, badge: 'none', sessionOffReason: 'host_runner' })).toBe(
      'Sessions do not apply here: host runner.',
    )
  })

  it('has words for every badge', () => {
    expect(Object.values(badgeText).every((text) => text.length > 0)).toBe(true)
  })
})
