import { describe, expect, it } from 'vitest'
import { formatAgo, formatDayTime } from './time-format'

const at = (text: string): number => new Date(text).getTime()
const now = at('2026-11-29T14:02:00')

describe('times of rows', () => {
  it('say Today where a column mixes days', () => {
    expect(formatDayTime(now, now, 'en-GB')).toBe('Today 14:02')
    expect(formatDayTime(at('2026-11-27T09:12:00'), now, 'en-GB')).toBe('Fri 09:12')
  })

  it('leave Today out beside AM and PM', () => {
    expect(formatDayTime(now, now, 'en-US')).toMatch(/^2:02\sPM$/)
    expect(formatDayTime(at('2026-11-27T09:12:00'), now, 'en-US')).toMatch(/^Fri 9:12\sAM$/)
    expect(formatDayTime(at('2026-11-12T09:12:00'), now, 'en-US')).toBe('Nov 12')
    expect(formatDayTime(at('2026-11-12T09:12:00'), now, 'en-GB')).toBe('12 Nov 09:12')
  })

  it('shorten ages to one unit, and to the day after a day', () => {
    expect([30_000, 240_000, 7_300_000].map((ago) => formatAgo(now - ago, now))).toEqual(['now', '4m', '2h'])
    expect(formatAgo(at('2026-11-27T09:12:00'), now)).toBe('Fri')
    expect(formatAgo(at('2026-11-20T09:12:00'), now)).toBe('20 Nov')
  })
})
