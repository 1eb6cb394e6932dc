import type { LlmSession } from '@shared/model/records'
import { fromFlag } from './row-values'

export type SessionRow = Omit<LlmSession, 'resumed' | 'idSetAside'> & {
  readonly resumed: number
  readonly idSetAside: number
}

export const sessionColumns = {
  id: 'id',
  runId: 'run_id',
  attemptId: 'attempt_id',
  mailboxId: 'mailbox_id',
  adapter: 'adapter',
  provider: 'provider',
  model: 'model',
  sessionName: 'session_name',
  nativeSessionId: 'native_session_id',
  resumed: 'resumed',
  resumeFallback: 'resume_fallback',
  mode: 'mode',
  requestedSessionId: 'requested_session_id',
  chosenSessionId: 'chosen_session_id',
  stateBytesBefore: 'state_bytes_before',
  stateBytesAfter: 'state_bytes_after',
  stateSavedAt: 'state_saved_at',
  idSetAside: 'id_set_aside',
  firstEventAt: 'first_event_at',
  inputTokens: 'input_tokens',
  cachedTokens: 'cached_tokens',
  outputTokens: 'output_tokens',
  costUsd: 'cost_usd',
  contextUsed: 'context_used',
  contextMax: 'context_max',
  turns: 'turns',
  toolCalls: 'tool_calls',
  createdAt: 'created_at',
  endedAt: 'ended_at',
} satisfies Record<keyof LlmSession, string>

export const toSession = (row: SessionRow): LlmSession => ({
  ...row,
  resumed: fromFlag(row.resumed),
  idSetAside: fromFlag(row.idSetAside),
})

export const toSessionOrNull = (row: SessionRow | undefined): LlmSession | null =>
  row === undefined ? null : toSession(row)
