import { describe, expect, it } from 'vitest'
import { formatAgo, formatDayTime } from './time-format'

const at = (text: string): number => new Date(text).getTime()
const now = at('2026-11-29T14:02:00')

describe('times of rows', () => {
  it('say Today where a column mixes days', () => {
    expect(formatDayTime(now, now)).toMatch(/^Today /)
    expect(formatDayTime(at('2026-11-27T09:12:00'), now)).toMatch(/^Fri /)
  })

  it('shorten ages to one unit, and to the day after a day', () => {
    expect([30_000, 240_000, 7_300_000].map((ago) => formatAgo(now - ago, now))).toEqual(['now', '4m', '2h'])
    expect(formatAgo(at('2026-11-27T09:12:00'), now)).toBe('Fri')
    expect(formatAgo(at('2026-11-20T09:12:00'), now)).toBe('20 Nov')
  })
})
