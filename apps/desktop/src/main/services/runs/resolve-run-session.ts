import type { AttemptId } from '@shared/model/ids'
import type { PriorSession } from '@shared/model/records'
import { chosenSessionId } from '../../core/session/resume-choice'
import {
  askedSession,
  resolveSession,
  sessionOffReason,
  type SessionChoice,
  type SessionFacts,
  type SessionPlan,
} from '../../core/session/resolve-session'
import { isUsableSessionId } from '../../core/session/session-id'
import type { Randomness } from '../../ports/randomness'
import type { SessionStateLook, SessionStates } from '../../ports/session-state'
import type { Store } from '../../ports/stores'
import type { AgentCredentials } from '../agents/agent-credentials'
import type { RunContext } from './run-context'

export interface ResolvedRunSession {
  readonly plan: SessionPlan
  /** What was found of the asked session's state; null when nothing was asked. */
  readonly state: SessionStateLook | null
}

interface Parts {
  readonly store: Store
  readonly randomness: Randomness
  readonly states: SessionStates
  readonly credentials: Pick<AgentCredentials, 'overlap'>
}

/** Reads what the store knows of an attempt's sessions and decides how its CLI session begins. */
export async function resolveRunSession(
  { store, randomness, states, credentials }: Parts,
  context: RunContext,
  attemptId: AttemptId | null,
  installation: { readonly resumable: boolean } | null,
  sessionName: string,
): Promise<ResolvedRunSession> {
  const { run, mailbox, adapter, resolved } = context
  const origin = resolved.origins.AGENT_SESSION_RESUME
  const facts: SessionFacts = {
    setting: { isOn: resolved.values.AGENT_SESSION_RESUME, scope: origin === 'default' ? 'app' : origin },
    runId: run.id,
    mailbox,
    runner: run.runner,
    adapter,
    installation,
    credentialOverlap: (await credentials.overlap(adapter, resolved.values)) !== null,
    priorOfAdapter: store.sessions.findPrior(mailbox.id, adapter.id, attemptId),
    priorOfAnyAdapter: store.sessions.findPriorOfAnyAdapter(mailbox.id, attemptId),
    begun: attemptId === null ? null : store.sessions.findByAttempt(attemptId),
    hasDropped: store.sessions.hasDropped(mailbox.id, adapter.id),
    setAside: null,
    choice: choiceOf(store, context),
    preflight: 'unknown',
    sessionName,
    newId: randomness.uuidV4(),
  }
  if (sessionOffReason(facts) !== null) return { plan: resolveSession(facts), state: null }

  const row = askedSession(facts)
  const asked = row?.nativeSessionId ?? null
  const isUsable = asked !== null && isUsableSessionId(asked, adapter.sessionIdPattern)
  const state = isUsable ? await states.look(context.statePath, adapter.sessionFile(asked)) : null
  const plan = resolveSession({
    ...facts,
    setAside: asked === null ? null : store.sessions.findSetAside(mailbox.id, adapter.id, asked),
    preflight: state?.preflight ?? 'unknown',
  })
  return { plan, state: state === null || row === null ? state : orLastKnown(state, row) }
}

/** Of a state that is gone, size and age are told as they were when it was last seen. */
function orLastKnown(state: SessionStateLook, row: PriorSession): SessionStateLook {
  return state.bytes === null ? { ...state, bytes: row.stateBytesAfter, savedAt: row.endedAt } : state
}

function choiceOf(store: Store, { run }: RunContext): SessionChoice {
  const chosen = chosenSessionId(run.resumeChoice)
  if (chosen !== null) return { kind: 'session', row: store.sessions.find(chosen) }
  return { kind: run.resumeChoice === 'fresh' ? 'fresh' : 'auto' }
}
