import { describe, expect, test } from 'vitest'
import type { LlmSession } from '../model/records'
import { resumeFallbackSchema } from '../model/words'
import { sessionOfRun } from './fold-attempts'
import { isLoss, sessionBadge } from './session-badge'
import { stateGrowth } from './state-growth'

const row = { mode: 'resume', resumed: false, resumeFallback: null, state: 'ended' } as const

describe('sessionBadge', () => {
  test.each([
    ['pending', { ...row, state: 'running' }],
    ['pending', { ...row, state: 'queued' }],
    ['unproven', row],
    ['resumed', { ...row, resumed: true }],
    ['resumed', { ...row, resumed: true, state: 'running' }],
    ['chosen_fresh', { ...row, mode: 'chosen_fresh' }],
    ['none', { ...row, mode: 'none', state: 'running' }],
    ['state_missing', { ...row, resumeFallback: 'state_missing', state: 'running' }],
  ] as const)('is %s for %o', (badge, given) => {
    expect(sessionBadge(given)).toBe(badge)
  })

  test.each(resumeFallbackSchema.options)(
    'tells the fallback %s, and only failed resumes are losses',
    (resumeFallback) => {
      const badge = sessionBadge({ ...row, mode: 'fresh', resumeFallback })
      expect(badge).toBe(resumeFallback)
      expect(isLoss(badge)).toBe(!['no_prior_session', 'adapter_changed'].includes(resumeFallback))
    },
  )
})

describe('sessionOfRun', () => {
  const session = (patch: Partial<LlmSession>): LlmSession =>
    ({
      id: 1,
      mode: 'fresh',
      nativeSessionId: 'x',
      resumeFallback: 'no_prior_session',
      ...patch,
    }) as LlmSession

  test('lets the first attempt speak', () => {
    const first = session({})
    expect(sessionOfRun([first, session({ mode: 'resume', resumed: true, resumeFallback: null })])).toBe(
      first,
    )
    expect(sessionOfRun([])).toBeNull()
  })

  test('lets a fallback in any attempt win', () => {
    const lost = session({ mode: 'resume', resumeFallback: 'refused', nativeSessionId: 'y' })
    expect(sessionOfRun([session({ mode: 'resume', resumeFallback: null }), lost])).toBe(lost)
  })

  test('takes the id of a later attempt where the first was cut before it had one', () => {
    expect(
      sessionOfRun([session({ nativeSessionId: null }), session({ nativeSessionId: 'z' })]),
    ).toMatchObject({
      resumeFallback: 'no_prior_session',
      nativeSessionId: 'z',
    })
  })
})

describe('stateGrowth', () => {
  const ended = {
    mode: 'resume',
    resumed: true,
    nativeSessionId: 'x',
    stateBytesBefore: 100,
    stateBytesAfter: 150,
    endedAt: 9,
  } as const
  test.each([
    ['is fine when the state grew', ended, [false, false]],
    ['tells that nothing was saved', { ...ended, stateBytesAfter: 100 }, [true, false]],
    ['tells that the memory shrank', { ...ended, stateBytesAfter: 99 }, [false, true]],
    [
      'tells an empty state after a fresh start',
      { ...ended, resumed: false, mode: 'fresh', stateBytesAfter: 0 },
      [true, false],
    ],
    [
      'does not compare two different states after a fallback',
      { ...ended, resumed: false, stateBytesAfter: 20 },
      [false, false],
    ],
    ['says nothing while the run goes on', { ...ended, stateBytesAfter: 100, endedAt: null }, [false, false]],
    ['says nothing about sizes that are not known', { ...ended, stateBytesBefore: null }, [false, false]],
    [
      'says nothing where sessions do not apply',
      { ...ended, mode: 'none', stateBytesAfter: 0 },
      [false, false],
    ],
  ] as const)('%s', (_name, given, [isNotSaved, hasShrunk]) => {
    expect(stateGrowth(given)).toEqual({ isNotSaved, hasShrunk })
  })
})
