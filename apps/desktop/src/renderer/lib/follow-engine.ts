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

const frameMs = 16
/** A busy run changes many times a second; each change asks for several answers again. */
const leastPauseMs = 120

/** Keeps every held query and the status bar up to date, a batch at a time. Returns what ends it. */
export function followEngine(): () => void {
  let waiting: ChangeEvent[] = []
  let lastAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | null = null
  const apply = (): void => {
    timer = null
    lastAt = performance.now()
    const events = waiting
    waiting = []
    refreshStale(events)
    for (const listener of listeners) listener(events)
  }
  const endChanges = engine.subscribe('app.changes', null, ({ events }) => {
    waiting.push(...events)
    // a timer and not a frame: a hidden window draws none, and what it tells a screen reader must not wait
    timer ??= setTimeout(apply, Math.max(frameMs, lastAt + leastPauseMs - performance.now()))
  })
  const endStatus = engine.subscribe('app.statusChanges', null, (status) => {
    queryClient.setQueryData(queryKeyOf('app.status', {}), status)
  })
  return () => {
    if (timer) clearTimeout(timer)
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
