import type { TranscriptHit } from '@shared/contract/runs'
import { eventText, excerpt, searchWords } from '../../core/search/event-text'
import type { Clock } from '../../ports/clock'
import type { Store, StoredEvent } from '../../ports/stores'
import type { TimelineReader } from '../../ports/timeline-reader'
import type { TranscriptSearch } from '../../ports/transcript-search'
import { toTimelineRow } from './timeline-rows'

interface Parts {
  readonly store: Store
  readonly timeline: TimelineReader
  readonly transcripts: TranscriptSearch
  readonly clock: Clock
}

export interface TranscriptQueries {
  /** Newest first. `tookMs`: how long the search itself took. */
  search(
    text: string,
    limit: number,
  ): { hits: TranscriptHit[]; total: number; isTotalCut: boolean; tookMs: number }
}

export function createTranscriptQueries(parts: Parts): TranscriptQueries {
  return {
    search(text, limit) {
      const words = searchWords(text)
      const begin = parts.clock.monotonic()
      const { events, total, isTotalCut } = parts.transcripts.find(words, limit)
      const tookMs = parts.clock.monotonic() - begin
      return { hits: events.flatMap((event) => toHit(parts, event, words)), total, isTotalCut, tookMs }
    },
  }
}

function toHit({ store, timeline }: Parts, event: StoredEvent, words: readonly string[]): TranscriptHit[] {
  const record = timeline.one(event.runId)
  if (record === null) return []
  const { kind: mailboxKind, iid, projectId } = store.mailboxes.get(record.run.mailboxId)
  const { forgeId } = store.forges.getProject(projectId)
  return [
    {
      row: toTimelineRow(record, store.installations.list()),
      seq: event.seq,
      at: event.at,
      kind: event.kind,
      excerpt: excerpt(eventText(event.payload), words),
      mailboxKind,
      iid,
      forgeKind: store.forges.getForge(forgeId).kind,
    },
  ]
}
