import type { LlmSession } from '@shared/model/records'
import type { AgentAdapter, SessionFigures } from '../../ports/agent-adapter'
import type { StagedSession } from '../../ports/hand-made-sessions'
import type { SessionParts } from './session-parts'

/*
 * A CLI that tells sums over a session goes on with those of a copy. What they hold when the session is brought in is
 * no run's own: it is noted then, and taken off what the first run tells.
 */

/** null: the CLI tells no such sums. Of a copy that holds none it begins at nothing. */
export async function usedBefore(
  { states }: Pick<SessionParts, 'states'>,
  { sumsInState, sessionFile }: Pick<AgentAdapter, 'sumsInState' | 'sessionFile'>,
  staged: Pick<StagedSession, 'folder'>,
  nativeId: string,
): Promise<SessionFigures | null> {
  const file = sessionFile(nativeId)
  if (sumsInState === undefined || file === null) return null
  return sumsInState(await states.linesBehind(staged.folder, file, 0)) ?? nothing
}

const nothing: SessionFigures = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }

/** Inside the step that brings the session in. */
export function noteUsedBefore(
  { store, clock }: Pick<SessionParts, 'store' | 'clock'>,
  { id, nativeSessionId }: Pick<LlmSession, 'id' | 'nativeSessionId'>,
  used: SessionFigures | null,
): void {
  if (used !== null) store.sessions.noteUsed(id, { start: 0, nativeSessionId, ...used }, clock.now())
}
