import { describe, expect, it } from 'vitest'
import type { TimelineRow } from '@shared/contract/sessions'
import { hasMonths, monthsOf } from './months'

const row = (runId: number, day: string) =>
  ({ runId, startedAt: new Date(`${day}T12:00:00`).getTime() }) as unknown as TimelineRow

describe('monthsOf', () => {
  it('names each month once, newest first, with its first session', () => {
    expect(monthsOf([row(1, '2026-10-02'), row(2, '2026-10-30'), row(3, '2026-11-01')])).toEqual([
      { name: 'November 2026', firstRunId: 3 },
      { name: 'October 2026', firstRunId: 1 },
    ])
  })

  it('is worth it from 200 sessions on', () => {
    expect([199, 200].map(hasMonths)).toEqual([false, true])
  })
})
