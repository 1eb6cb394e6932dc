import { describe, expect, it } from 'vitest'
import type { RailEdge, TimelineRow } from '@shared/contract/sessions'
import { railOf } from '@shared/timeline/rail'
import { keptMemories } from './kept-memory'

const row = (runId: number, adapter: string, badge: TimelineRow['badge'], id: string) =>
  ({
    runId,
    adapter,
    badge,
    nativeSessionId: id,
    requestedSessionId: null,
    createdAt: runId * 10,
  }) as unknown as TimelineRow
const none: RailEdge = { memories: [] }
const kept = (rows: readonly TimelineRow[], edge = none, memoryRemovedAt: number | null = null) =>
  keptMemories(rows, railOf(rows, edge), { edge, memoryRemovedAt })

describe('keptMemories', () => {
  it('names the memory of the other adapter', () => {
    expect(
      kept([row(1, 'claude-code', 'no_prior_session', 'x'), row(2, 'codex', 'adapter_changed', 'y')]),
    ).toEqual([null, { letter: 'A', adapter: 'claude-code', isRemoved: false }])
  })

  it('names the memory that a person left by a fresh start', () => {
    const rows = [
      row(1, 'demo', 'no_prior_session', 'x'),
      row(2, 'demo', 'chosen_fresh', 'y'),
      row(3, 'demo', 'chosen_fresh', 'z'),
    ]
    expect(kept(rows).map((memory) => memory?.letter)).toEqual([undefined, 'A', 'B'])
  })

  it('knows memories above the loaded rows by the edge', () => {
    const edge = { memories: [{ key: 'demo:x', firstRunId: 1, lastRunId: 5 }] } as unknown as RailEdge
    expect(kept([row(9, 'demo', 'chosen_fresh', 'y')], edge)).toEqual([
      { letter: 'A', adapter: 'demo', isRemoved: false },
    ])
  })

  it('says of a memory whose runs all began before the cleanup that it was removed', () => {
    const rows = [
      row(1, 'demo', 'no_prior_session', 'x'),
      row(2, 'demo', 'chosen_fresh', 'y'),
      row(3, 'demo', 'chosen_fresh', 'z'),
    ]
    expect(kept(rows, none, 15).map((memory) => memory?.isRemoved)).toEqual([undefined, true, false])
  })
})
