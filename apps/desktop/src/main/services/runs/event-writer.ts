import type { RunId } from '@shared/model/ids'
import type { PackedEvents, StoredEvent, Store } from '../../ports/stores'
import type { RunEventFeed } from './run-event-feed'
import type { NewRunEvent } from './transcript-events'

/*
 * Stores what the streams of a start say, in order. While one batch is packed, beside this thread, the next one may be
 * made, and no more: so nothing piles up.
 */

export interface WrittenWith {
  /** Writes what belongs to the events. */
  readonly inTransaction: () => void
  readonly onStored: () => void
}

export interface EventWriter {
  /**
   * Settles when the next one may come. Rejects when this one or an earlier one could not be stored; then nothing is
   * any more, since it would have a gap before it.
   */
  write(events: readonly NewRunEvent[], as: 'rows' | 'packed', belonging: WrittenWith): Promise<void>
  /** Settles when all is stored, and rejects when something was not. */
  done(): Promise<void>
  /** Nothing is stored any more once it settles. Never rejects. */
  close(): Promise<void>
}

export function createEventWriter({
  store,
  feed,
  runId,
}: {
  readonly store: Store
  readonly feed: RunEventFeed
  readonly runId: RunId
}): EventWriter {
  let packing: Promise<void> | null = null
  let failure: { readonly error: unknown } | null = null
  let isClosed = false

  const commit = (append: () => readonly StoredEvent[], { inTransaction, onStored }: WrittenWith): void => {
    const stored = store.transaction(() => {
      inTransaction()
      return append()
    })
    feed.publish(runId, stored)
    onStored()
  }

  const appendPacked = (packed: PackedEvents, events: readonly NewRunEvent[]): readonly StoredEvent[] => {
    const firstSeq = store.events.appendPacked(runId, packed)
    if (!feed.hasListeners(runId)) return []
    return events.map((event, index) => ({ ...event, runId, seq: firstSeq + index }))
  }

  const packAndCommit = async (events: readonly NewRunEvent[], belonging: WrittenWith): Promise<void> => {
    try {
      const packed = await store.events.pack(events)
      if (!isClosed) commit(() => appendPacked(packed, events), belonging)
    } catch (error) {
      failure = { error }
    }
    packing = null
  }

  return {
    async write(events, as, belonging) {
      // Looked at again in the very step that goes on: of several that waited only one finds nothing under way.
      while (packing !== null) await packing
      if (failure !== null) throw failure.error
      if (isClosed) return
      if (as === 'packed') {
        packing = packAndCommit(events, belonging)
        return
      }
      try {
        commit(() => store.events.append(runId, events), belonging)
      } catch (error) {
        failure = { error }
        throw error
      }
    },
    async done() {
      while (packing !== null) await packing
      if (failure !== null) throw failure.error
    },
    async close() {
      isClosed = true
      await packing
    },
  }
}
