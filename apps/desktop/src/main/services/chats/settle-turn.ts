import { isTalk } from '../../core/run/talk'
import type { LlmSession, Run } from '@shared/model/records'
import { transcriptEventSchema } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import { uncommittedBeginning } from '../runs/uncommitted-words'
import type { Clock } from '../../ports/clock'
import type { Store, StoredEvent } from '../../ports/stores'

/** Notes that a turn keeps, the newest, and how long each may be. */
const mostNotes = 12
const noteLength = 2_000
/** Events at the end of a turn that are looked through for its last words and its notes. */
const eventsLookedAt = 500

/** Whether an agent has begun with what the turn was to say: from then on it may remember it. */
export const hasReachedAgent = (store: Pick<Store, 'sessions'>, runId: RunId): boolean =>
  store.sessions.listByRun(runId).some(isReached)

const isReached = ({ nativeSessionId, firstEventAt, mode, resumeFallback }: LlmSession): boolean =>
  // What a resume that failed printed says nothing of the fresh start after it.
  nativeSessionId !== null || (firstEventAt !== null && !(mode === 'resume' && resumeFallback !== null))

/**
 * Inside the step that ends a turn of a chat, so that its answer is there once, whoever saw its end: the message was
 * said, or comes back, and what the agent said last is the answer.
 */
export function settleTurn({ store, clock }: { store: Store; clock: Clock }, run: Run): void {
  const message = isTalk(run.phase) ? store.chats.findMessage(run.id, 'person') : null
  if (message === null) return
  store.chats.setMessageState(run.id, hasReachedAgent(store, run.id) ? 'sent' : 'draft')
  const events = store.events.listBefore(run.id, Number.MAX_SAFE_INTEGER, eventsLookedAt)
  // One may be there from a restore of the database in the midst of the turn.
  store.chats.setNotes(run.id, [...store.chats.listNotes(run.id), ...notesOf(events)])
  const text = lastWords(store, run.id, events)
  if (text === null || store.chats.findMessage(run.id, 'agent') !== null) return
  store.chats.addMessage({
    threadId: message.threadId,
    role: 'agent',
    runId: run.id,
    state: 'sent',
    text,
    createdAt: clock.now(),
  })
}

/** Of the last start: one before it worked in a thread that nobody asked for. */
function lastWords(store: Store, runId: RunId, events: readonly StoredEvent[]): string | null {
  const attempt = store.runs.listAttempts(runId).at(-1)
  const start = attempt && store.runs.listStarts(attempt.id).findLast(({ kind }) => kind !== 'collect')
  if (start === undefined) return null
  const words = events.filter(({ at }) => at >= start.startedAt).flatMap(spoken)
  return words.findLast(({ isClosing }) => isClosing)?.text ?? words.at(-1)?.text ?? null
}

/** What stays to be known of a turn: as that the context was summed up, or that files were not committed. */
function notesOf(events: readonly StoredEvent[]): readonly string[] {
  const said = events.flatMap(({ kind, payload }) => {
    const text = textOf(payload)
    const isNote = kind === 'warning' || (kind === 'notice' && text.startsWith(uncommittedBeginning))
    return isNote ? [text.slice(0, noteLength)] : []
  })
  return [...new Set(said)].slice(-mostNotes)
}

const textOf = (payload: unknown): string =>
  typeof payload === 'object' && payload !== null && 'text' in payload && typeof payload.text === 'string'
    ? payload.text
    : ''

function spoken({
  seq,
  at,
  kind,
  payload,
}: StoredEvent): { readonly text: string; readonly isClosing: boolean }[] {
  const parsed = transcriptEventSchema.safeParse({ seq, at, kind, payload })
  const text = parsed.data?.payload.text?.trim() ?? ''
  const isClosing = kind === 'result' && parsed.data?.payload.succeeded === true
  return text !== '' && (kind === 'text' || isClosing) ? [{ text, isClosing }] : []
}
