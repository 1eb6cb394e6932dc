import type { LlmSession, PriorSession } from '@shared/model/records'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { SettingScope } from '@shared/model/settings'
import type {
  AdapterId,
  MailboxKind,
  ResumeFailure,
  ResumeFallback,
  Runner,
  SessionMode,
  SessionOffReason,
} from '@shared/model/words'
import { isUsableSessionId } from './session-id'

/*
 * Decides how a start of an attempt treats its CLI session. Everything it needs is given; an id that
 * comes out was in one of the rows that went in, or is the random id that was given.
 */

/** What a look at the state of the asked id found before the start. `unknown`: nobody looked, so it is tried. */
export type StatePreflight = 'ok' | 'missing' | 'empty' | 'unreadable' | 'unknown'

/** A person's wish for this run; `session` carries the row that was named, null when there is none any more. */
export type SessionChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'fresh' }
  | { readonly kind: 'session'; readonly row: PriorSession | null }

export interface SessionFacts {
  /** AGENT_SESSION_RESUME as it is in force, and the scope that says so. */
  readonly setting: { readonly isOn: boolean; readonly scope: SettingScope }
  readonly runId: RunId
  readonly mailbox: {
    readonly id: MailboxId
    readonly kind: MailboxKind
    readonly memoryRemovedAt: number | null
  }
  readonly runner: Runner
  /** The adapter of the run: with a chosen session, the adapter of that session. */
  readonly adapter: {
    readonly id: AdapterId
    readonly resumableSessions: boolean
    readonly choosesId: boolean
    readonly sessionIdPattern: RegExp
  }
  /** `resumable` is the detected version checked against the verified range; null: nothing was detected. */
  readonly installation: { readonly resumable: boolean } | null
  /** Whether the state path is equal to, inside or around a credential mount. */
  readonly credentialOverlap: boolean
  /** Latest row of mailbox and adapter with a native id, this attempt excluded. */
  readonly priorOfAdapter: PriorSession | null
  readonly priorOfAnyAdapter: PriorSession | null
  /** The row of an attempt that goes on after a wait for the account or a login; null when the attempt begins. */
  readonly begun: LlmSession | null
  /** A person dropped a memory of this mailbox and adapter. */
  readonly hasDropped: boolean
  /** Why the prior id is set aside; null when it is not. */
  readonly setAside: ResumeFailure | null
  readonly choice: SessionChoice
  /** Of the id that `askedSession` names. */
  readonly preflight: StatePreflight
  /** The frozen branch name. */
  readonly sessionName: string
  /** A random uuid v4, used only where the CLI lets us choose its id. */
  readonly newId: string
}

export interface FreshPlan {
  readonly mode: 'fresh'
  readonly name: string
  readonly chosenId: string | null
  /** Why there is no resume; null when a person chose a fresh start. */
  readonly fallback: ResumeFallback | null
  /** The id that would have been asked for. */
  readonly requestedId: string | null
  /** The id failed twice in a row before and was not tried. */
  readonly idSetAside: boolean
}

export type SessionPlan =
  | { readonly mode: 'none'; readonly offReason: SessionOffReason }
  | FreshPlan
  | { readonly mode: 'resume'; readonly name: string; readonly nativeId: string }

/** Why sessions do not apply to the run, the most lasting reason first; null when they do. */
export function sessionOffReason(
  facts: Pick<
    SessionFacts,
    'setting' | 'mailbox' | 'runner' | 'adapter' | 'installation' | 'credentialOverlap'
  >,
): SessionOffReason | null {
  if (facts.mailbox.kind !== 'issue') return 'merge_request'
  if (facts.runner !== 'container') return 'host_runner'
  if (!facts.adapter.resumableSessions) return 'adapter_cannot_resume'
  if (facts.installation === null || !facts.installation.resumable) return 'version_not_verified'
  if (facts.credentialOverlap) return 'credential_overlap'
  return facts.setting.isOn ? null : `switched_off_${facts.setting.scope}`
}

/** The choice that counts: an attempt after the first goes on with what the run itself began. */
function choiceInForce(facts: Pick<SessionFacts, 'runId' | 'choice' | 'priorOfAdapter'>): SessionChoice {
  return facts.priorOfAdapter?.runId === facts.runId ? { kind: 'auto' } : facts.choice
}

/** The row whose id the next start would ask for, before anything speaks against it: for the preflight. */
export function askedSession(
  facts: Pick<SessionFacts, 'runId' | 'choice' | 'priorOfAdapter' | 'begun'>,
): PriorSession | null {
  // The session that this attempt began or resumed; it goes on in it, so that no turn of it is forgotten.
  if (facts.begun !== null && facts.begun.nativeSessionId !== null) return facts.begun
  const choice = choiceInForce(facts)
  if (choice.kind === 'fresh') return null
  return choice.kind === 'session' ? choice.row : facts.priorOfAdapter
}

export function resolveSession(facts: SessionFacts): SessionPlan {
  const offReason = sessionOffReason(facts)
  if (offReason !== null) return { mode: 'none', offReason }

  const fresh = (why: Pick<FreshPlan, 'fallback'> & Partial<FreshPlan>): FreshPlan => ({
    mode: 'fresh',
    name: facts.sessionName,
    chosenId: facts.adapter.choosesId ? facts.newId : null,
    requestedId: null,
    idSetAside: false,
    ...why,
  })

  const { begun } = facts
  if (begun !== null && begun.nativeSessionId !== null) {
    const nativeId = ownNativeId(begun, facts)
    return nativeId !== null && isUsableId(nativeId, facts)
      ? { mode: 'resume', name: facts.sessionName, nativeId }
      : fresh({ fallback: 'state_missing', requestedId: nativeId })
  }
  // The id that this attempt asked for failed: what waited is its fresh start.
  if (begun !== null && hasFallenBack(begun)) {
    return fresh({ fallback: begun.resumeFallback, requestedId: begun.requestedSessionId })
  }

  const choice = choiceInForce(facts)
  if (choice.kind === 'fresh') return fresh({ fallback: null })

  const asked = askedSession(facts)
  if (choice.kind === 'auto' && asked === null) {
    // Nothing was lost: a person wanted it so. A memory of another agent is lost all the same.
    if (facts.hasDropped && facts.priorOfAnyAdapter === null) return fresh({ fallback: null })
    return fresh({ fallback: facts.priorOfAnyAdapter === null ? 'no_prior_session' : 'adapter_changed' })
  }
  const nativeId = asked === null ? null : ownNativeId(asked, facts)
  // A choice that names no session of this mailbox and adapter: there is nothing to go on with.
  if (asked === null || nativeId === null) return fresh({ fallback: 'state_missing' })

  const isRemoved = facts.mailbox.memoryRemovedAt !== null && asked.createdAt <= facts.mailbox.memoryRemovedAt
  if (isRemoved) return fresh({ fallback: 'state_missing', requestedId: nativeId })
  // Only a person's own choice tries an id that was set aside.
  if (choice.kind === 'auto' && facts.setAside !== null) {
    return fresh({ fallback: facts.setAside, requestedId: nativeId, idSetAside: true })
  }
  return isUsableId(nativeId, facts)
    ? { mode: 'resume', name: facts.sessionName, nativeId }
    : fresh({ fallback: 'state_missing', requestedId: nativeId })
}

const hasFallenBack = (row: Pick<LlmSession, 'mode' | 'resumeFallback'>): boolean =>
  row.mode === 'resume' && row.resumeFallback !== null

const isUsableId = (id: string, { adapter, preflight }: SessionFacts): boolean =>
  isUsableSessionId(id, adapter.sessionIdPattern) && (preflight === 'ok' || preflight === 'unknown')

function ownNativeId(row: PriorSession, facts: SessionFacts): string | null {
  const isOwn = row.mailboxId === facts.mailbox.id && row.adapter === facts.adapter.id
  return isOwn ? row.nativeSessionId : null
}

export type InitialSessionFields = Pick<
  LlmSession,
  | 'sessionName'
  | 'nativeSessionId'
  | 'resumed'
  | 'resumeFallback'
  | 'mode'
  | 'requestedSessionId'
  | 'chosenSessionId'
  | 'idSetAside'
>

const modeOf = (plan: SessionPlan): SessionMode =>
  plan.mode === 'fresh' && plan.fallback === null ? 'chosen_fresh' : plan.mode

/** What the `llm_sessions` row says before the container starts: nothing is resumed until it is proven. */
export function initialSessionFields(plan: SessionPlan): InitialSessionFields {
  return {
    sessionName: plan.mode === 'none' ? null : plan.name,
    nativeSessionId: null,
    resumed: false,
    resumeFallback: plan.mode === 'fresh' ? plan.fallback : null,
    mode: modeOf(plan),
    requestedSessionId:
      plan.mode === 'resume' ? plan.nativeId : plan.mode === 'fresh' ? plan.requestedId : null,
    chosenSessionId: plan.mode === 'fresh' ? plan.chosenId : null,
    idSetAside: plan.mode === 'fresh' && plan.idSetAside,
  }
}

/**
 * What changes in the row of an attempt that goes on: it tells how the attempt began, so a session that was begun or
 * a fallback that happened stays in it.
 */
export function continuedSessionFields(plan: SessionPlan, begun: LlmSession): Partial<InitialSessionFields> {
  if (plan.mode === 'resume' && plan.nativeId === begun.nativeSessionId) return {}
  const isFallbackAgain =
    plan.mode === 'fresh' &&
    begun.nativeSessionId === null &&
    hasFallenBack(begun) &&
    plan.requestedId === begun.requestedSessionId
  return isFallbackAgain ? { chosenSessionId: plan.chosenId } : initialSessionFields(plan)
}

/**
 * The fresh start after a resume that failed in a recognised way: same name, same run, another id.
 * Its reason goes into the row with `fallbackAfter` (prove-resume.ts).
 */
export function fallbackPlan(input: {
  readonly name: string
  readonly requestedId: string
  readonly reason: ResumeFailure
  readonly choosesId: boolean
  readonly newId: string
}): FreshPlan {
  return {
    mode: 'fresh',
    name: input.name,
    chosenId: input.choosesId ? input.newId : null,
    fallback: input.reason,
    requestedId: input.requestedId,
    idSetAside: false,
  }
}
