import type { SessionPlan } from '../../core/session/resolve-session'
import type { Run } from '@shared/model/records'
import type { RunParts } from './run-parts'
import { warnOf } from './start-scene'

/*
 * While sessions are off, a turn of a chat is told a replay and no memory learns of it. What goes on with a memory
 * after that says so, on its transcript and below its message: the agent never forgets silently.
 */

const sessionsLookedAt = 500
const eventsLookedAt = 200

/** A run that is prepared once more says it once. */
export function tellTurnsNotRemembered(
  parts: Pick<RunParts, 'store' | 'clock' | 'feed'>,
  run: Pick<Run, 'id' | 'mailboxId' | 'adapter'>,
  plan: SessionPlan,
): void {
  if (plan.mode !== 'resume') return
  const turns = turnsNotRemembered(parts, run, plan.nativeId)
  if (turns === 0) return
  const text = wordsOf(turns)
  const isTold = parts.store.events
    .listBefore(run.id, Number.MAX_SAFE_INTEGER, eventsLookedAt)
    .some(({ kind, payload }) => kind === 'warning' && textOf(payload) === text)
  if (!isTold) warnOf(parts, run.id, text)
}

/** Since the memory was last gone on with; whatever goes on with it from now on was told. */
function turnsNotRemembered(
  { store }: Pick<RunParts, 'store'>,
  { mailboxId, adapter }: Pick<Run, 'mailboxId' | 'adapter'>,
  nativeId: string,
): number {
  const rows = store.sessions.listByMailbox(mailboxId, sessionsLookedAt, null)
  const last = rows.findLastIndex((row) => row.adapter === adapter && row.nativeSessionId === nativeId)
  const withoutMemory = rows.slice(last + 1).flatMap(({ mode, runId }) => (mode === 'none' ? [runId] : []))
  return [...new Set(withoutMemory)].filter(
    (runId) => store.chats.findMessage(runId, 'person')?.state === 'sent',
  ).length
}

const wordsOf = (turns: number): string =>
  turns === 1
    ? 'The agent does not remember the last message of the chat: it was sent while sessions were off. What was said stands in the chat.'
    : `The agent does not remember the last ${turns} messages of the chat: they were sent while sessions were off. What was said stands in the chat.`

const textOf = (payload: unknown): unknown =>
  typeof payload === 'object' && payload !== null && 'text' in payload ? payload.text : null
