import type { RunId } from '@shared/model/ids'
import type { RunEvent } from '../../core/run/run-machine'
import type { Store } from '../../ports/stores'
import type { RunParts } from './run-parts'
import { currentAttempt } from './run-step'

/** What Alfred itself did, for the transcript. */
export function noteEvents(
  { store, clock, feed }: Pick<RunParts, 'store' | 'clock' | 'feed'>,
  runId: RunId,
  events: readonly RunEvent[],
): void {
  const notes = events
    .filter((event) => !mayComeAgain(event) || !isNoted(store, runId, noteOf(event)))
    .map(noteOf)
    .filter((text) => text !== null)
  if (notes.length === 0) return
  const at = clock.now()
  feed.publish(
    runId,
    store.events.append(
      runId,
      notes.map((text) => ({ at, kind: 'notice', payload: { text } })),
    ),
  )
}

/** A new engine finds out the same of the same start, and an attempt that could not begin begins again. */
const mayComeAgain = ({ type }: RunEvent): boolean => type === 'start_abandoned' || type === 'attempt_begun'

const notesLookedAt = 200

function isNoted(store: Store, runId: RunId, text: string | null): boolean {
  const since = currentAttempt(store, runId).startedAt
  return store.events
    .listBefore(runId, Number.MAX_SAFE_INTEGER, notesLookedAt)
    .some(({ at, kind, payload }) => at >= since && kind === 'notice' && textOf(payload) === text)
}

const textOf = (payload: unknown): unknown =>
  typeof payload === 'object' && payload !== null && 'text' in payload ? payload.text : null

function noteOf(event: RunEvent): string | null {
  switch (event.type) {
    case 'attempt_begun':
      return event.attempt === 1 ? null : `Attempt ${event.attempt} begins.`
    case 'start_begun':
      return event.start === 'fallback'
        ? 'The resume failed. A fresh session starts under the same name.'
        : null
    case 'start_abandoned':
      return 'The agent works in another session than the one asked for, so it is stopped.'
    case 'termination_begun':
      return `Stopping: ${event.ending.failure?.message ?? 'a person asked for it.'}`
    case 'collect_begun':
      return 'The work is collected by a container of its own.'
    case 'requeued':
      return `${event.failure.message} The run goes on by itself.`
    case 'run_ended':
      return event.failure === null ? null : event.failure.message
  }
}
