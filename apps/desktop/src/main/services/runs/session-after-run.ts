import type { LlmSession } from '@shared/model/records'
import { nativeIdAfterRun, setAsideAfter } from '../../core/session/prove-resume'
import type { SessionPatch, Store } from '../../ports/stores'
import type { RunContext } from './run-context'
import type { RunParts } from './run-parts'

/** How many earlier tries of an id are looked at. */
const triesLookedAt = 20

/** What the session's state says once the container is gone; read before the step that ends the start. */
export async function lookAtStateAfter(
  parts: RunParts,
  context: RunContext,
  session: LlmSession,
  seen: string | null,
): Promise<SessionPatch> {
  if (session.mode === 'none') return {}
  const { adapter, statePath } = context
  // Another id than the one asked for proves nothing and is not this memory's.
  const isForeign =
    session.mode === 'resume' && session.resumeFallback === null && seen !== session.requestedSessionId
  const id = seen ?? session.chosenSessionId ?? session.requestedSessionId
  if (id === null) return {}
  const look = await parts.states.look(statePath, adapter.sessionFile(id))
  const nativeId = nativeIdAfterRun({
    chosenId: session.chosenSessionId,
    seen,
    stateExists: look.bytes !== null,
  })
  return {
    // The CLI began this session and left no file: known to be nothing, which is more than not known.
    stateBytesAfter: look.bytes ?? (look.preflight === 'missing' && seen !== null ? 0 : null),
    ...(nativeId !== null && session.nativeSessionId === null && !isForeign
      ? { nativeSessionId: nativeId }
      : {}),
  }
}

/** Inside the step: an id that fell back twice in a row is not tried any more; one that resumed is taken back into use. */
export function settleSetAside(store: Store, context: RunContext, session: LlmSession, now: number): void {
  const { mailbox, adapter } = context
  const asked = session.requestedSessionId
  if (asked === null || session.idSetAside) return
  if (session.resumed) return store.sessions.clearSetAside(mailbox.id, adapter.id, asked)
  const reason = setAsideAfter(
    store.sessions.listByRequestedId(mailbox.id, adapter.id, asked, triesLookedAt),
    asked,
  )
  if (reason !== null) store.sessions.setAside(mailbox.id, adapter.id, asked, reason, now)
}
