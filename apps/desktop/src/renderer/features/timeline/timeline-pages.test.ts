import { describe, expect, it } from 'vitest'
import type { TimelineRow } from '@shared/contract/sessions'
import { withEarlier, withNewest, type TimelinePage } from './timeline-pages'

const page = (ids: readonly number[], patch: Partial<TimelinePage> = {}): TimelinePage => ({
  rows: ids.map((runId) => ({ runId }) as TimelineRow),
  total: 500,
  hasEarlier: true,
  rail: { memories: [] },
  ...patch,
})
const idsOf = (rows: readonly TimelineRow[]) => rows.map((row) => Number(row.runId))

describe('the loaded rows of a timeline', () => {
  it('keep what was read above when the newest page moves on', () => {
    const loaded = withEarlier(withNewest(null, page([4, 5, 6])), page([1, 2, 3], { hasEarlier: false }))
    const moved = withNewest(loaded, page([5, 6, 7]))
    expect(idsOf(moved.rows)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(moved.hasEarlier).toBe(false)
  })

  it('take the newer state of a row that was loaded', () => {
    const loaded = withNewest(null, page([4, 5]))
    const changed = page([4, 5])
    const moved = withNewest(loaded, {
      ...changed,
      rows: changed.rows.map((row) => ({ ...row, state: 'ended' })),
    })
    expect(moved.rows.every((row) => row.state === 'ended')).toBe(true)
  })

  it('never show rows beside each other that are not neighbours', () => {
    const loaded = withNewest(null, page([1, 2, 3]))
    expect(idsOf(withNewest(loaded, page([90, 91])).rows)).toEqual([90, 91])
  })

  it('begin anew when a mailbox has no rows any more', () => {
    expect(withNewest(withNewest(null, page([1])), page([], { hasEarlier: false, total: 0 })).rows).toEqual(
      [],
    )
  })
})
