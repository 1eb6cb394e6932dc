import type { RunId } from '@shared/model/ids'
import type { BegunPack, StoredEvent, Store } from '../../ports/stores'
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

/** Much at once, packed while it comes. */
export interface Burst {
  add(events: readonly NewRunEvent[]): void
  readonly pack: BegunPack
  /** What those who listen are told, once it is stored from this number on. */
  stored(firstSeq: number): readonly StoredEvent[]
}

export interface EventWriter {
  beginBurst(): Burst
  /** As `write` for what `beginBurst` began. */
  writeBurst(burst: Burst, belonging: WrittenWith): Promise<void>
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

  const packAndCommit = async (burst: Burst, belonging: WrittenWith): Promise<void> => {
    try {
      const packed = await store.events.pack(burst.pack)
      if (!isClosed) commit(() => burst.stored(store.events.appendPacked(runId, packed)), belonging)
    } catch (error) {
      failure = { error }
    }
    packing = null
  }

  const beginBurst = (): Burst => {
    const pack = store.events.beginPack()
    /** Only of those who listen: what nobody waits for would fill the memory. */
    const kept: NewRunEvent[] = []
    let added = 0
    return {
      pack,
      add(events) {
        pack.add(events)
        added += events.length
        if (feed.hasListeners(runId)) kept.push(...events)
      },
      stored(firstSeq) {
        if (!feed.hasListeners(runId)) return []
        // Whoever began to listen in the midst of it is told all of it.
        if (kept.length < added) return store.events.list(runId, firstSeq - 1, added)
        return kept.map((event, index) => ({ ...event, runId, seq: firstSeq + index }))
      },
    }
  }

  const writeBurst: EventWriter['writeBurst'] = async (burst, belonging) => {
    // Looked at again in the very step that goes on: of several that waited only one finds nothing under way.
    while (packing !== null) await packing
    if (failure !== null) throw failure.error
    if (!isClosed) packing = packAndCommit(burst, belonging)
  }

  return {
    beginBurst,
    writeBurst,
    async write(events, as, belonging) {
      if (as === 'packed') {
        const burst = beginBurst()
        burst.add(events)
        return writeBurst(burst, belonging)
      }
      while (packing !== null) await packing
      if (failure !== null) throw failure.error
      if (isClosed) return
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
