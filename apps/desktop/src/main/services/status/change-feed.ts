import type { ChangeEvent } from '@shared/contract/app'
import type { Clock } from '../../ports/clock'

/** Tells readers what changed; equal events within a batch are told once. */
export interface ChangeFeed {
  publish(event: ChangeEvent): void
  subscribe(listener: (events: readonly ChangeEvent[]) => void): () => void
  /** Ends the feed: nothing is told any more. */
  close(): void
}

/** At most 20 batches per second reach a reader. */
const batchMs = 50

const throwOn = (defect: unknown): void => {
  throw defect
}

/** `onDefect`: a reader failed; the others hear of the change all the same. */
export function createChangeFeed(clock: Clock, onDefect = throwOn): ChangeFeed {
  const listeners = new Set<(events: readonly ChangeEvent[]) => void>()
  const pending = new Map<string, ChangeEvent>()
  const closing = new AbortController()
  let isFlushing = false

  const flushLater = async (): Promise<void> => {
    await clock.sleep(batchMs, closing.signal)
    isFlushing = false
    if (closing.signal.aborted) return
    const events = [...pending.values()]
    pending.clear()
    for (const listener of listeners) {
      try {
        listener(events)
      } catch (defect) {
        onDefect(defect)
      }
    }
  }

  return {
    publish(event) {
      if (listeners.size === 0 || closing.signal.aborted) return
      pending.set(JSON.stringify(event), event)
      if (isFlushing) return
      isFlushing = true
      void flushLater()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      closing.abort()
      listeners.clear()
    },
  }
}
