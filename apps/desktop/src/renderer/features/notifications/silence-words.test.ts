import { describe, expect, it } from 'vitest'
import { bellName, silenceWords } from './silence-words'

const now = new Date('2026-03-10T23:30:00').getTime()

describe('the bell', () => {
  it('says why notifications wait behind it', () => {
    expect(silenceWords({ reason: 'no_service' })).toBe(
      'The system shows no notifications right now, so they wait here.',
    )
    const until = new Date('2026-03-11T07:00:00').getTime()
    expect(silenceWords({ reason: 'quiet_hours', until }, now)).toMatch(
      /^Quiet until .*0?7:00.*: notifications wait here\.$/,
    )
  })

  it('is called by how many are unread, and that they wait', () => {
    expect(bellName(0, null)).toBe('Notifications')
    expect(bellName(3, null)).toBe('Notifications, 3 unread')
    expect(bellName(3, { reason: 'no_service' })).toBe('Notifications, 3 unread. They wait here')
  })
})
