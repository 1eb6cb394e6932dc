import type { FiguresOfStart, LlmSession, UsedFigures } from '@shared/model/records'
import { tellsIdLast } from '@shared/model/tells-id-last'
import { nativeIdAfterRun, proveByGrowth, setAsideAfter } from '../../core/session/prove-resume'
import type { SessionFigures } from '../../ports/agent-adapter'
import type { SessionPatch, Store } from '../../ports/stores'
import type { RunContext } from './run-context'
import { lookAtTerminalState } from '../terminals/terminal-state'
import type { RunParts } from './run-parts'

/** How many earlier tries of an id are looked at. */
const triesLookedAt = 20

/** What the state of a session says. */
export interface StateAfter {
  readonly patch: SessionPatch
  /** What this start used, where the CLI tells it in the session's file only. */
  readonly used: Pick<FiguresOfStart, 'nativeSessionId'> & Partial<UsedFigures>
  /** What a person should know of it. */
  readonly words?: string
}

const nothing: StateAfter = { patch: {}, used: { nativeSessionId: null } }

/** What the session's state says once the container is gone; read before the step that ends the start. */
export async function lookAtStateAfter(
  parts: RunParts,
  context: RunContext,
  session: LlmSession,
  seen: string | null,
): Promise<StateAfter> {
  if (session.mode === 'none') return nothing
  if (context.run.phase === 'terminal') return lookAtTerminalState(parts, context, session)
  const { adapter, statePath } = context
  // Another id than the one asked for proves nothing and is not this memory's.
  const isForeign =
    session.mode === 'resume' && session.resumeFallback === null && seen !== session.requestedSessionId
  const id = seen ?? session.chosenSessionId ?? session.requestedSessionId
  if (id === null) return nothing
  const look = await parts.states.look(statePath, adapter.sessionFile(id))
  const nativeId = nativeIdAfterRun({
    chosenId: session.chosenSessionId,
    seen,
    stateExists: look.bytes !== null,
  })
  const proof =
    tellsIdLast(adapter.id) && session.mode === 'resume' && session.resumeFallback === null
      ? proveByGrowth({
          asked: session.requestedSessionId,
          seen,
          bytesBefore: session.stateBytesBefore,
          bytesAfter: look.bytes,
        })
      : {}
  const { contextUsed, contextMax, ...used } = await figuresOfState(parts, context, id, session, look.bytes)
  const patch: SessionPatch = {
    ...(contextUsed === undefined ? {} : { contextUsed }),
    ...(contextMax === undefined ? {} : { contextMax }),
    // The CLI began this session and left no file: known to be nothing, which is more than not known.
    stateBytesAfter: look.bytes ?? (look.preflight === 'missing' && seen !== null ? 0 : null),
    ...(nativeId !== null && session.nativeSessionId === null && !isForeign
      ? { nativeSessionId: nativeId }
      : {}),
    ...proof,
  }
  return { patch, used: { nativeSessionId: id, ...used } }
}

/**
 * Where a CLI keeps what a run used in the session's file only: of what this start added to it. What the file had after
 * an earlier start of the attempt is that start's.
 */
async function figuresOfState(
  { states }: RunParts,
  { adapter, statePath }: RunContext,
  id: string,
  session: LlmSession,
  bytesAfter: number | null,
): Promise<SessionFigures> {
  const file = adapter.sessionFile(id)
  if (adapter.figuresInState === undefined || file === null || bytesAfter === null) return {}
  const isResumed = session.mode === 'resume' && id === session.requestedSessionId
  const before = session.stateBytesAfter ?? (isResumed ? session.stateBytesBefore : 0)
  if (before === null || bytesAfter <= before) return {}
  return adapter.figuresInState(await states.linesBehind(statePath, file, before)) ?? {}
}

/** Inside the step: an id that fell back twice in a row is not tried any more; one that resumed is taken back into use. */
export function settleSetAside(store: Store, context: RunContext, session: LlmSession, now: number): void {
  const { mailbox, adapter } = context
  const asked = session.requestedSessionId
  if (asked === null || session.idSetAside) return
  if (session.resumed) {
    store.sessions.takeBack(mailbox.id, adapter.id, asked)
    return store.sessions.clearSetAside(mailbox.id, adapter.id, asked)
  }
  const reason = setAsideAfter(
    store.sessions.listByRequestedId(mailbox.id, adapter.id, asked, triesLookedAt),
    asked,
  )
  if (reason !== null) store.sessions.setAside(mailbox.id, adapter.id, asked, reason, now)
}

/** Inside the step: what the state said goes into the row of the session, as that of one of its starts. */
export function storeStateAfter(
  { store, clock }: Pick<RunParts, 'store' | 'clock'>,
  session: Pick<LlmSession, 'id'>,
  start: number,
  { patch, used }: StateAfter,
): void {
  if (Object.keys(patch).length > 0) store.sessions.update(session.id, patch)
  const { nativeSessionId, ...figures } = used
  if (Object.keys(figures).length > 0)
    store.sessions.noteUsed(session.id, { start, nativeSessionId, ...figures }, clock.now())
}
