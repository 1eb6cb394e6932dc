import type { LlmSession } from '@shared/model/records'
import type { ResumeFailure } from '@shared/model/words'
import { isUsableSessionId } from './session-id'

/*
 * `resumed` is proven, never assumed: only the first id that the CLI reports decides, or the growth of the session's file
 * where the CLI tells its id at its end (ADR 6).
 */

export interface ProofState {
  /** The id that was asked for; null at a fresh start. */
  readonly asked: string | null
  /** The session began in this very attempt, which waited meanwhile: its row says how it began, and goes on saying so. */
  readonly isOwn: boolean
  readonly isOff: boolean
  /** The CLI tells its id at its end: that names the session, and the growth of its file is what proves it. */
  readonly isByGrowth: boolean
  readonly pattern: RegExp
  /** The first usable id that the CLI reported. */
  readonly seen: string | null
}

export type SessionRowPatch = Partial<
  Pick<
    LlmSession,
    'nativeSessionId' | 'resumed' | 'resumeFallback' | 'mode' | 'requestedSessionId' | 'chosenSessionId'
  >
>

export const startProof = (asked: Omit<ProofState, 'seen'>): ProofState => ({ ...asked, seen: null })

/** `named`: the asked one, which its growth has yet to prove. */
export type SessionProof = 'resumed' | 'named' | 'fresh' | 'other_id'

export interface ProofStep {
  readonly state: ProofState
  /** What the `llm_sessions` row says from now on; empty when nothing changed. */
  readonly patch: SessionRowPatch
  /** What the event proves, for the transcript; null for an event that says nothing new. */
  readonly proof: SessionProof | null
  /** The CLI works in another thread than the one asked for: stop it and fall back. */
  readonly stop: ResumeFailure | null
}

/** Takes in one `session` event of the CLI's stream; the stream is untrusted. */
export function proveResume(state: ProofState, event: { readonly nativeId: string }): ProofStep {
  const isFirst = state.seen === null && !state.isOff && isUsableSessionId(event.nativeId, state.pattern)
  if (!isFirst) return { state, patch: {}, proof: null, stop: null }
  const next = { ...state, seen: event.nativeId }
  if (state.asked === null) {
    return { state: next, patch: { nativeSessionId: event.nativeId }, proof: 'fresh', stop: null }
  }
  if (event.nativeId !== state.asked)
    return { state: next, patch: {}, proof: 'other_id', stop: 'state_missing' }
  const isProven = !state.isOwn && !state.isByGrowth
  return {
    state: next,
    patch: { nativeSessionId: state.asked, ...(isProven ? { resumed: true } : {}) },
    proof: state.isByGrowth ? 'named' : 'resumed',
    stop: null,
  }
}

/**
 * Some CLIs say of a session that they may not write what they say of one that is gone. A look at its state knows better:
 * it is there, and was refused.
 */
export const failureInSight = (
  told: ResumeFailure | null,
  state: { readonly isReadOnly: boolean } | null,
): ResumeFailure | null => (told === 'state_missing' && state?.isReadOnly === true ? 'refused' : told)

/** How a start ended: by itself, because the proof failed, or because something else ended it. */
export type StartEnd =
  | 'by_itself'
  | 'proof_failed'
  | 'stopped'
  | 'timed_out'
  | 'out_of_memory'
  | 'interrupted'

export type FallbackDecision =
  | { readonly type: 'fallback'; readonly reason: ResumeFailure; readonly patch: SessionRowPatch }
  /** Recognised, but no time is left for another start: the run is `timed_out`. */
  | { readonly type: 'no_time'; readonly reason: ResumeFailure; readonly patch: SessionRowPatch }
  /** Not a failure of the resume: the start's own outcome counts. */
  | { readonly type: 'outcome' }

/**
 * What follows after a start with mode `resume` has ended. Only a failure that the adapter recognises, or
 * another id than the asked one, is a fallback; an ambiguous failure keeps its outcome and stays unproven.
 */
export function fallbackAfter(start: {
  readonly asked: string | null
  readonly end: StartEnd
  /** The adapter's classifier; null: not a failure of the resume that it knows. */
  readonly failure: ResumeFailure | null
  /** Of the run's timeout, in milliseconds. */
  readonly remainingMs: number
}): FallbackDecision {
  if (start.asked === null) return { type: 'outcome' }
  const reason =
    start.end === 'proof_failed' ? 'state_missing' : start.end === 'by_itself' ? start.failure : null
  if (reason === null) return { type: 'outcome' }
  // Also after a proof: a first model request that is rejected as too long takes it back.
  const patch = {
    mode: 'resume',
    requestedSessionId: start.asked,
    resumed: false,
    resumeFallback: reason,
    nativeSessionId: null,
  } as const
  return { type: start.remainingMs > 0 ? 'fallback' : 'no_time', reason, patch }
}

/** The native id to store after the run when no event carried one: the chosen id, if its state exists. */
export function nativeIdAfterRun(input: {
  readonly chosenId: string | null
  readonly seen: string | null
  readonly stateExists: boolean
}): string | null {
  return input.seen ?? (input.stateExists ? input.chosenId : null)
}

/**
 * The proof of a resume where the CLI tells its id in its last line only: the asked session's own file grew. An id that
 * was told confirms it; without growth even that proves nothing, since nothing of this run is in the session.
 */
export function proveByGrowth(run: {
  readonly asked: string | null
  readonly seen: string | null
  readonly bytesBefore: number | null
  readonly bytesAfter: number | null
}): SessionRowPatch {
  const { asked, seen, bytesBefore, bytesAfter } = run
  if (asked === null || (seen !== null && seen !== asked)) return {}
  if (bytesBefore === null || bytesAfter === null || bytesAfter <= bytesBefore) return { resumed: false }
  return { resumed: true, nativeSessionId: asked }
}

/**
 * Why an id is not tried any more: its last two tries both fell back. Rows newest first. Failures that were
 * ambiguous, and rows that did not try the id, do not count.
 */
export function setAsideAfter(
  rows: readonly Pick<
    LlmSession,
    'requestedSessionId' | 'nativeSessionId' | 'resumed' | 'resumeFallback' | 'mode' | 'idSetAside'
  >[],
  nativeId: string,
): ResumeFailure | null {
  let reason: ResumeFailure | null = null
  for (const row of rows) {
    if (row.nativeSessionId === nativeId) return null
    const failure =
      row.requestedSessionId === nativeId && !row.idSetAside ? toFailure(row.resumeFallback) : null
    if (failure === null) continue
    if (reason !== null) return reason
    reason = failure
  }
  return null
}

const toFailure = (fallback: LlmSession['resumeFallback']): ResumeFailure | null =>
  fallback === 'no_prior_session' || fallback === 'adapter_changed' ? null : fallback
