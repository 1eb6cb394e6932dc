import { describe, expect, it } from 'vitest'
import { heightAbove, rowHeights } from './row-heights'
import type { TimelineItem } from './timeline-items'

const item = (kind: TimelineItem['kind'], key: string) => ({ kind, key }) as TimelineItem
const heights = { session: 48, break: 50, day: 24 }

describe('row heights', () => {
  it('are those of the design up to 125 % text, then grow', () => {
    expect(rowHeights(1)).toEqual(heights)
    expect(rowHeights(1.25).session).toBeLessThanOrEqual(49)
    expect(rowHeights(1.5).session).toBeGreaterThan(55)
  })

  it('tell how far a page above pushes what is read', () => {
    const before = [item('day', 'day-9'), item('session', '9')]
    const after = [
      item('day', 'day-7'),
      item('session', '7'),
      item('session', '8'),
      item('break', 'break-9'),
      item('session', '9'),
    ]
    expect(heightAbove(before, after, heights)).toBe(24 + 48 + 48 + 50 - 24)
    expect(heightAbove(after, [...after, item('session', '10')], heights)).toBe(0)
    expect(heightAbove(before, [item('session', '1')], heights)).toBe(0)
  })
})
