import { assertPresent } from '@shared/assert'
import { err, ok, type Result } from '@shared/result'
import type { RunId } from '@shared/model/ids'
import type { Run, RunAttempt, RunStart } from '@shared/model/records'
import {
  decide,
  effectsOf,
  evolve,
  type RunCommand,
  type RunEffect,
  type RunError,
  type RunEvent,
  type RunMachineState,
} from '../../core/run/run-machine'
import { attemptOutcomeOf, rowPatchOf, stateOfRun } from '../../core/run/run-row'
import type { Store } from '../../ports/stores'

/*
 * One step of a run: what the command means, written in one transaction. The effects are the caller's, once the
 * step is committed; each of them may be done twice, since a crash can fall between any two lines here.
 */

export interface RunStep {
  readonly state: RunMachineState
  readonly events: readonly RunEvent[]
  readonly effects: readonly RunEffect[]
}

/** The rows of a run that its state is read from; attempts and starts oldest first. */
export interface RunRows {
  readonly run: Run
  readonly attempts: readonly RunAttempt[]
  /** Of the last attempt. */
  readonly starts: readonly RunStart[]
}

export function readRunRows(store: Store, runId: RunId): RunRows {
  const attempts = store.runs.listAttempts(runId)
  const last = attempts.at(-1)
  return {
    run: store.runs.get(runId),
    attempts,
    starts: last === undefined ? [] : store.runs.listStarts(last.id),
  }
}

export const readRunState = (store: Store, runId: RunId): RunMachineState => {
  const { run, attempts, starts } = readRunRows(store, runId)
  return stateOfRun(run, attempts, starts)
}

/**
 * Takes a command. `alongside` writes what belongs to the same step (a session row, the sandbox contract) and runs
 * inside the transaction, after the events; it is skipped when the command means nothing any more.
 */
export function takeStep(
  store: Store,
  runId: RunId,
  command: RunCommand,
  now: number,
  alongside: (events: readonly RunEvent[]) => void = () => undefined,
): Result<RunStep, RunError> {
  return store.transaction(() => {
    const before = readRunState(store, runId)
    const decision = decide(before, command)
    if (!decision.ok) return err(decision.error)
    const events = decision.value
    let state = before
    for (const event of events) {
      writeEvent(store, runId, event, now)
      state = evolve(state, event)
    }
    if (events.length > 0) alongside(events)
    return ok({ state, events, effects: events.flatMap((event) => effectsOf(event)) })
  })
}

function writeEvent(store: Store, runId: RunId, event: RunEvent, now: number): void {
  const run = store.runs.get(runId)
  store.runs.update(runId, rowPatchOf(event, run, now))
  if (endsStart(event)) endStarts(store, runId, now)
  if (event.type === 'attempt_begun') beginAttempt(store, runId, event.attempt, now)
  if (event.type === 'run_ended') store.runs.setUnsettled(runId, true)
  if (event.type === 'start_begun') store.runs.addStart(currentAttempt(store, runId).id, event.start, now)
  if (event.type === 'collect_begun') store.runs.addStart(currentAttempt(store, runId).id, 'collect', now)
  if (event.type === 'requeued' || event.type === 'run_ended') store.locks.release(run.mailboxId, run.id)
  const outcome = attemptOutcomeOf(event)
  if (outcome !== null) endAttempt(store, run, outcome, now)
}

/** A start without an end is the one that goes on, so each of these ends the one before. */
const endsStart = ({ type }: RunEvent): boolean =>
  type === 'start_begun' || type === 'collect_begun' || type === 'requeued' || type === 'run_ended'

function endStarts(store: Store, runId: RunId, now: number): void {
  for (const start of readRunRows(store, runId).starts) {
    if (start.endedAt === null) store.runs.updateStart(start.id, { endedAt: now })
  }
}

/** The start that goes on; null while the run prepares or waits, whatever starts its attempt had before. */
export const openStart = (starts: readonly RunStart[]): RunStart | null =>
  starts.find((start) => start.endedAt === null) ?? null

/** A start that the account's limit cut, or that could not begin, keeps its attempt: the same row goes on. */
function beginAttempt(store: Store, runId: RunId, number: number, now: number): void {
  const last = store.runs.listAttempts(runId).at(-1)
  if (last?.number === number) store.runs.updateAttempt(last.id, { outcome: null, endedAt: null })
  else store.runs.addAttempt(runId, now)
}

function endAttempt(store: Store, run: Run, outcome: NonNullable<Run['outcome']>, now: number): void {
  const attempt = store.runs.listAttempts(run.id).at(-1)
  // A run that was stopped while it was queued for the first time has none.
  if (attempt !== undefined && attempt.endedAt === null) {
    store.runs.updateAttempt(attempt.id, { outcome, endedAt: now })
    const session = store.sessions.findByAttempt(attempt.id)
    if (session) store.sessions.update(session.id, { endedAt: now })
  }
}

export const currentAttempt = (store: Store, runId: RunId): RunAttempt =>
  assertPresent(store.runs.listAttempts(runId).at(-1), 'a run that has begun has an attempt')
