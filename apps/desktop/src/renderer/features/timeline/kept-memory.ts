import type { RailEdge, TimelineRow } from '@shared/contract/sessions'
import { memoryLetter } from '@shared/timeline/memory-letters'
import type { Rail } from '@shared/timeline/rail'
import type { KeptMemory } from '../../lib/memory-badge'

/** For each row the memory that it left where it was: of the other adapter if that is what changed, else its own adapter's. */
export function keptMemories(
  rows: readonly TimelineRow[],
  rail: Rail,
  edge: RailEdge,
): readonly (KeptMemory | null)[] {
  const latestByAdapter = memoriesAbove(edge, rows[0]?.runId ?? 0)
  return rows.map((row, index) => {
    const kept = keptBy(row, latestByAdapter)
    const letter = rail.slices[index]?.letter
    if (letter) {
      latestByAdapter.delete(row.adapter) // the latest stands last
      latestByAdapter.set(row.adapter, letter)
    }
    return kept
  })
}

function memoriesAbove(edge: RailEdge, firstRunId: number): Map<string, string> {
  const above = edge.memories
    .map((memory, index) => ({
      adapter: memory.key.slice(0, memory.key.indexOf(':')),
      letter: memoryLetter(index),
      memory,
    }))
    .filter(({ memory }) => memory.firstRunId < firstRunId)
    .toSorted((a, b) => a.memory.lastRunId - b.memory.lastRunId)
  return new Map(above.map(({ adapter, letter }) => [adapter, letter]))
}

function keptBy(row: TimelineRow, latestByAdapter: ReadonlyMap<string, string>): KeptMemory | null {
  if (row.badge === 'adapter_changed') {
    const other = [...latestByAdapter].findLast(([adapter]) => adapter !== row.adapter)
    return other ? { adapter: other[0], letter: other[1] } : null
  }
  if (row.badge !== 'chosen_fresh' && row.badge !== 'unproven') return null
  const letter = latestByAdapter.get(row.adapter)
  return letter === undefined ? null : { adapter: row.adapter, letter }
}
