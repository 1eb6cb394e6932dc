import type { RunId } from '@shared/model/ids'
import type { StoredEvent } from '../../ports/stores'

/** What listeners of a run hear: stored events, or the words that its agent is writing now. */
export interface RunNews {
  readonly events: readonly StoredEvent[]
  /** Whole words of a text that is not finished, from its beginning. The event that brings the text follows. */
  readonly partial?: string
}

/** Stored events of live runs, as they come. */
export interface RunEventFeed {
  publish(runId: RunId, events: readonly StoredEvent[]): void
  /** Kept nowhere: who listens later does not hear of it. */
  publishPartial(runId: RunId, partial: string): void
  /** Without anybody who listens, nothing needs to be published. */
  hasListeners(runId: RunId): boolean
  subscribe(runId: RunId, listener: (news: RunNews) => void): () => void
}

export function createRunEventFeed(): RunEventFeed {
  const listenersByRun = new Map<RunId, Set<(news: RunNews) => void>>()
  return {
    publish(runId, events) {
      if (events.length === 0) return
      for (const listener of listenersByRun.get(runId) ?? []) listener({ events })
    },
    publishPartial(runId, partial) {
      for (const listener of listenersByRun.get(runId) ?? []) listener({ events: [], partial })
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
