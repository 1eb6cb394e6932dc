import type { RailEdge, TimelineRow } from '@shared/contract/sessions'
import type { QueryOutput } from '../../lib/engine-client'

export type TimelinePage = QueryOutput<'sessions.timeline'>

/** The rows of a timeline that are loaded: consecutive, oldest first, always down to the newest. */
export interface LoadedRows {
  readonly rows: readonly TimelineRow[]
  readonly total: number
  readonly hasEarlier: boolean
  /** The memories of the whole mailbox. */
  readonly edge: RailEdge
}

const fromPage = ({ rows, total, hasEarlier, rail }: TimelinePage): LoadedRows => ({
  rows,
  total,
  hasEarlier,
  edge: rail,
})

/**
 * Takes in the newest page again: what it has is right, what was above it stays. If so much is new that the page does
 * not reach what was loaded, only the page is left, since the rows between are not known.
 */
export function withNewest(loaded: LoadedRows | null, page: TimelinePage): LoadedRows {
  const first = page.rows[0]
  const lastKnown = loaded?.rows.at(-1)
  if (!loaded || !first || !lastKnown || lastKnown.runId < first.runId) return fromPage(page)
  const above = loaded.rows.filter((row) => row.runId < first.runId)
  return {
    rows: [...above, ...page.rows],
    total: page.total,
    hasEarlier: above.length > 0 ? loaded.hasEarlier : page.hasEarlier,
    edge: page.rail,
  }
}

/** Puts a page that ends before the first loaded row above the rows. */
export function withEarlier(loaded: LoadedRows, page: TimelinePage): LoadedRows {
  const first = loaded.rows[0]
  const above = page.rows.filter((row) => first === undefined || row.runId < first.runId)
  return { ...loaded, rows: [...above, ...loaded.rows], hasEarlier: page.hasEarlier }
}
