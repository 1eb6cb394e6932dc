import type { RunId } from '@shared/model/ids'
import type { StoredEvent } from '../../ports/stores'

/** Stored events of live runs, as they come. */
export interface RunEventFeed {
  publish(runId: RunId, events: readonly StoredEvent[]): void
  /** Without anybody who listens, nothing needs to be published. */
  hasListeners(runId: RunId): boolean
  subscribe(runId: RunId, listener: (events: readonly StoredEvent[]) => void): () => void
}

export function createRunEventFeed(): RunEventFeed {
  const listenersByRun = new Map<RunId, Set<(events: readonly StoredEvent[]) => void>>()
  return {
    publish(runId, events) {
      if (events.length === 0) return
      for (const listener of listenersByRun.get(runId) ?? []) listener(events)
    },
    hasListeners: (runId) => listenersByRun.has(runId),
    subscribe(runId, listener) {
      const listeners = listenersByRun.get(runId) ?? new Set()
      listenersByRun.set(runId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) listenersByRun.delete(runId)
      }
    },
  }
}
