import { describe, expect, it } from 'vitest'
import type { TimelineRow } from '@shared/contract/sessions'
import { railOf } from '@shared/timeline/rail'
import { timelineItems } from './timeline-items'

const day = 86_400_000
const row = (id: number, badge: TimelineRow['badge'], native: string, asked: string | null = null) =>
  ({
    runId: id,
    adapter: 'demo',
    badge,
    nativeSessionId: native,
    requestedSessionId: asked,
    resumeFallback: badge === 'resumed' || badge === 'pending' ? null : badge,
    stateBytesBefore: null,
    stateSavedAt: null,
    createdAt: id * day,
    startedAt: id * day,
    costUsd: null,
    idSetAside: false,
    isImported: false,
  }) as unknown as TimelineRow

const rows = [row(1, 'no_prior_session', 'x'), row(2, 'state_missing', 'y', 'x'), row(3, 'resumed', 'y', 'y')]
const itemsOf = (total: number, shows: ((row: TimelineRow) => boolean) | null = null) =>
  timelineItems(rows, railOf(rows, { memories: [] }), { memoryRemovedAt: null, total, shows })

describe('timelineItems', () => {
  it('puts a band before a row that lost its memory', () => {
    expect(itemsOf(3).map((item) => item.key)).toEqual(['1', 'break-2', '2', '3'])
    expect(itemsOf(3)[1]).toMatchObject({ gap: { letter: 'A', reason: 'state_missing' } })
  })

  it('marks days once there are many rows, with the lines that pass them', () => {
    const items = itemsOf(30)
    expect(items.map((item) => item.kind)).toEqual([
      'day',
      'session',
      'day',
      'break',
      'session',
      'day',
      'session',
    ])
    expect(items[2]).toMatchObject({ lines: [{ lane: 0, color: 'a' }] })
    expect(items[5]).toMatchObject({ lines: [{ lane: 0, color: 'b' }] })
  })

  it('shows only the rows of a filter, and no bands between rows that are not neighbours', () => {
    expect(itemsOf(3, ({ badge }) => badge !== 'no_prior_session').map((item) => item.key)).toEqual([
      '2',
      '3',
    ])
  })
})
