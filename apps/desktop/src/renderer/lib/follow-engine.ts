import type { ChangeEvent } from '@shared/contract/app'
import { engine } from './engine-client'
import { queryClient } from './query-client'
import { isStaleBy, type HeldQuery } from './stale-queries'
import { queryKeyOf } from './use-query-entry'

type ChangeListener = (events: readonly ChangeEvent[]) => void
const listeners = new Set<ChangeListener>()

/** Hears every batch of changes, after the held queries were told. Returns what ends it. */
export function onEngineChanges(listener: ChangeListener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keeps every held query and the status bar up to date; one batch per frame. Returns what ends it. */
export function followEngine(): () => void {
  let waiting: ChangeEvent[] = []
  let frame: ReturnType<typeof setTimeout> | null = null
  const apply = (): void => {
    frame = null
    const events = waiting
    waiting = []
    refreshStale(events)
    for (const listener of listeners) listener(events)
  }
  const endChanges = engine.subscribe('app.changes', null, ({ events }) => {
    waiting.push(...events)
    // a timer and not a frame: a hidden window draws none, and its tray and titles must not wait
    frame ??= setTimeout(apply, 16)
  })
  const endStatus = engine.subscribe('app.statusChanges', null, (status) => {
    queryClient.setQueryData(queryKeyOf('app.status', {}), status)
  })
  return () => {
    if (frame) clearTimeout(frame)
    endChanges()
    endStatus()
  }
}

function refreshStale(events: readonly ChangeEvent[]): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => {
      const [channel, input] = queryKey
      if (typeof channel !== 'string') return false
      const held: HeldQuery = { channel, input: (input ?? {}) as HeldQuery['input'] }
      return events.some((event) => isStaleBy(event, held))
    },
  })
}
