import type { z } from 'zod'
import type { OutputOf } from '@shared/contract/define'
import type { sessionsContract } from '@shared/contract/sessions'
import { err, ok } from '@shared/result'
import type { Store } from '../ports/stores'
import type { TimelineReader } from '../ports/timeline-reader'
import { toRailEdge, toTimelineRow } from '../services/queries/timeline-rows'
import type { SessionService } from '../services/sessions/session-service'
import type { HandlersOf } from './dispatch'

export interface SessionHandlerParts {
  readonly store: Store
  readonly timeline: TimelineReader
}

type TimelineInput = z.infer<(typeof sessionsContract)['timeline']['input']>
type TimelinePage = OutputOf<(typeof sessionsContract)['timeline']>

/** A page of a timeline, as the window draws it. */
export function readTimelinePage(
  { store, timeline }: SessionHandlerParts,
  { mailboxId, beforeRunId, limit }: TimelineInput,
): TimelinePage {
  // One more than the page: whether there is anything earlier.
  const records = timeline.page(mailboxId, beforeRunId, limit + 1)
  const hasEarlier = records.length > limit
  const installations = store.installations.list()
  return {
    rows: records.slice(hasEarlier ? 1 : 0).map((record) => toTimelineRow(record, installations)),
    total: timeline.countRuns(mailboxId),
    hasEarlier,
    rail: toRailEdge(timeline.memories(mailboxId)),
  }
}

export function createSessionHandlers(
  parts: SessionHandlerParts & { readonly byHand: SessionService },
): HandlersOf<typeof sessionsContract> {
  const { byHand } = parts
  return {
    all: ({ afterId, limit }) => ok([...parts.store.sessions.listAll(limit, afterId)]),
    show: async ({ sessionId }) => {
      const found = await byHand.show(sessionId)
      return found === null ? err({ type: 'not_found', what: `session ${sessionId}` }) : ok(found)
    },
    finders: async ({ mailboxId }) => ok(await byHand.finders(mailboxId)),
    find: ({ mailboxId, adapter, folder, nativeId }) => byHand.find(mailboxId, adapter, folder, nativeId),
    import: ({ mailboxId, adapter, folder, nativeId }) => byHand.import(mailboxId, adapter, folder, nativeId),
    drop: ({ sessionId }) => byHand.drop(sessionId),
    fork: ({ sessionId }) => byHand.fork(sessionId),
    records: ({ mailboxId, limit }) =>
      ok(parts.store.sessions.listByMailbox(mailboxId, limit, null).map((row) => ({ ...row }))),
    timeline: (input) => ok(readTimelinePage(parts, input)),
  }
}
