import type { RailEdge, TimelineRow } from '@shared/contract/sessions'
import { memoryLetter } from '@shared/timeline/memory-letters'
import type { Rail } from '@shared/timeline/rail'
import type { KeptMemory } from '../../lib/memory-badge'

interface Latest {
  readonly letter: string
  /** When the last of its runs began, in epoch ms, or a later time. */
  readonly usedAt: number
}

/** For each row the memory that it left where it was: of the other adapter if that is what changed, else its own adapter's. */
export function keptMemories(
  rows: readonly TimelineRow[],
  rail: Rail,
  { edge, memoryRemovedAt }: { readonly edge: RailEdge; readonly memoryRemovedAt: number | null },
): readonly (KeptMemory | null)[] {
  const latestByAdapter = memoriesAbove(edge, rows[0])
  return rows.map((row, index) => {
    const kept = keptBy(row, latestByAdapter)
    const letter = rail.slices[index]?.letter
    if (letter) {
      latestByAdapter.delete(row.adapter) // the latest stands last
      latestByAdapter.set(row.adapter, { letter, usedAt: row.createdAt })
    }
    if (kept === null) return null
    const { adapter, letter: left, usedAt } = kept
    return { adapter, letter: left, isRemoved: memoryRemovedAt !== null && usedAt <= memoryRemovedAt }
  })
}

function memoriesAbove(edge: RailEdge, first: TimelineRow | undefined): Map<string, Latest> {
  if (first === undefined) return new Map()
  const above = edge.memories
    .map((memory, index) => ({
      adapter: memory.key.slice(0, memory.key.indexOf(':')),
      letter: memoryLetter(index),
      memory,
    }))
    .filter(({ memory }) => memory.firstRunId < first.runId)
    .toSorted((a, b) => a.memory.lastRunId - b.memory.lastRunId)
  return new Map(above.map(({ adapter, letter }) => [adapter, { letter, usedAt: first.createdAt }]))
}

function keptBy(
  row: TimelineRow,
  latestByAdapter: ReadonlyMap<string, Latest>,
): (Latest & { readonly adapter: string }) | null {
  if (row.badge === 'adapter_changed') {
    const other = [...latestByAdapter].findLast(([adapter]) => adapter !== row.adapter)
    return other ? { adapter: other[0], ...other[1] } : null
  }
  if (row.badge !== 'chosen_fresh' && row.badge !== 'unproven') return null
  const latest = latestByAdapter.get(row.adapter)
  return latest === undefined ? null : { adapter: row.adapter, ...latest }
}
