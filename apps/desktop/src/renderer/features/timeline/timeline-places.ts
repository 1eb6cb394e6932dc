import type { MailboxId, RunId } from '@shared/model/ids'
import type { LoadedRows } from './timeline-pages'

/** Where a person was in a timeline, so that coming back finds it as it was. */
export interface TimelinePlace {
  readonly loaded: LoadedRows | null
  /** Null: at the end, following. */
  readonly scrollTop: number | null
  /** Null: the newest. */
  readonly selectedRunId: RunId | null
}

const placesKept = 20
const nowhere: TimelinePlace = { loaded: null, scrollTop: null, selectedRunId: null }
const places = new Map<MailboxId, TimelinePlace>()

export const recall = (mailboxId: MailboxId): TimelinePlace => places.get(mailboxId) ?? nowhere

export function remember(mailboxId: MailboxId, change: Partial<TimelinePlace>): void {
  const place = { ...recall(mailboxId), ...change }
  places.delete(mailboxId)
  places.set(mailboxId, place)
  const oldest = places.keys().next().value
  if (places.size > placesKept && oldest !== undefined) places.delete(oldest)
}
