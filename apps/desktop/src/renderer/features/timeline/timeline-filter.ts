import type { SessionBadge, TimelineRow } from '@shared/contract/sessions'
import type { Phase } from '@shared/model/words'

export type OutcomeGroup = 'live' | 'succeeded' | 'not_succeeded'

/** What the timeline is narrowed to; null is everything. */
export interface TimelineFilter {
  readonly phase: Phase | null
  /** A memory's letter. */
  readonly memory: string | null
  readonly outcome: OutcomeGroup | null
  readonly badge: SessionBadge | null
}

export const noFilter: TimelineFilter = { phase: null, memory: null, outcome: null, badge: null }

export const isFiltering = (filter: TimelineFilter): boolean =>
  Object.values(filter).some((value) => value !== null)

const outcomeGroup = (row: Pick<TimelineRow, 'state' | 'outcome'>): OutcomeGroup =>
  row.state !== 'ended' ? 'live' : row.outcome === 'succeeded' ? 'succeeded' : 'not_succeeded'

/** Whether a row, whose memory has the letter, is shown. */
export function passesFilter(
  filter: TimelineFilter,
  row: Pick<TimelineRow, 'phase' | 'state' | 'outcome' | 'badge'>,
  letter: string | null,
): boolean {
  return (
    (filter.phase === null || filter.phase === row.phase) &&
    (filter.memory === null || filter.memory === letter) &&
    (filter.outcome === null || filter.outcome === outcomeGroup(row)) &&
    (filter.badge === null || filter.badge === row.badge)
  )
}
