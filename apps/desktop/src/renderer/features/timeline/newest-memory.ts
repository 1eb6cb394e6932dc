import type { RailEdge } from '@shared/contract/sessions'
import type { AdapterId } from '@shared/model/words'
import { memoryLetter } from '@shared/timeline/memory-letters'

/** The letter of the memory that the next run of an agent goes on with; null: it has none here. */
export function newestMemoryOf({ memories }: RailEdge, adapter: AdapterId): string | null {
  const own = memories.filter(({ key }) => key.startsWith(`${adapter}:`))
  const newest = own.toSorted((a, b) => a.lastRunId - b.lastRunId).at(-1)
  return newest === undefined ? null : memoryLetter(memories.indexOf(newest))
}
