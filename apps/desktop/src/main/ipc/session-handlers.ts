import type { sessionsContract } from '@shared/contract/sessions'
import { ok } from '@shared/result'
import type { Store } from '../ports/stores'
import type { TimelineReader } from '../ports/timeline-reader'
import { toRailEdge, toTimelineRow } from '../services/queries/timeline-rows'
import type { HandlersOf } from './dispatch'

export interface SessionHandlerParts {
  readonly store: Store
  readonly timeline: TimelineReader
}

export function createSessionHandlers({
  store,
  timeline,
}: SessionHandlerParts): HandlersOf<typeof sessionsContract> {
  return {
    records: ({ mailboxId, limit }) =>
      ok(store.sessions.listByMailbox(mailboxId, limit, null).map((row) => ({ ...row }))),
    timeline: ({ mailboxId, beforeRunId, limit }) => {
      // One more than the page: whether there is anything earlier.
      const records = timeline.page(mailboxId, beforeRunId, limit + 1)
      const hasEarlier = records.length > limit
      const installations = store.installations.list()
      return ok({
        rows: records.slice(hasEarlier ? 1 : 0).map((record) => toTimelineRow(record, installations)),
        total: timeline.countRuns(mailboxId),
        hasEarlier,
        rail: toRailEdge(timeline.memories(mailboxId)),
      })
    },
  }
}
