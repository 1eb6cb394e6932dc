import type { StoredEvent } from './stores'

/*
 * Full-text search over what agents said and did, as it is stored: redacted.
 */

export interface TranscriptHits {
  /** Newest first. */
  readonly events: readonly StoredEvent[]
  /** All hits, as far as they were counted. */
  readonly total: number
  readonly isTotalCut: boolean
}

export interface TranscriptSearch {
  /** Takes up to `limit` events into the index that are not in it yet; returns how many it took. */
  indexNext(limit: number): number
  /** About how many events are not in the index yet: those that were removed since may count too. */
  behind(): number
  /** Events that hold every word; the last word may be the beginning of one. */
  find(words: readonly string[], limit: number): TranscriptHits
}
