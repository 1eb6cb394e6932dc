import { isTalk } from '../../core/run/talk'
import type { LlmSession, Run } from '@shared/model/records'
import { transcriptEventSchema } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import type { Clock } from '../../ports/clock'
import type { Store, StoredEvent } from '../../ports/stores'

/** Events at the end of a turn that are looked through for its last words. */
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
  const text = lastWords(store, run.id)
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
function lastWords(store: Store, runId: RunId): string | null {
  const attempt = store.runs.listAttempts(runId).at(-1)
  const start = attempt && store.runs.listStarts(attempt.id).findLast(({ kind }) => kind !== 'collect')
  if (start === undefined) return null
  const words = store.events
    .listBefore(runId, Number.MAX_SAFE_INTEGER, eventsLookedAt)
    .filter(({ at }) => at >= start.startedAt)
    .flatMap(spoken)
  return words.findLast(({ isClosing }) => isClosing)?.text ?? words.at(-1)?.text ?? null
}

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
