import { z } from 'zod'
import { runFailureSchema, type RunFailure } from '@shared/contract/runs'
import type { Run, RunAttempt, RunStart } from '@shared/model/records'
import { outcomeSchema, type Outcome } from '@shared/model/words'
import type { Ending, RunEvent, RunMachineState } from './run-machine'

/*
 * The machine's state is not stored as such: it is what the rows of the run say. These two functions are the
 * only translation, in both directions.
 */

export type RunRowPatch = Partial<
  Pick<
    Run,
    | 'state'
    | 'outcome'
    | 'error'
    | 'llmRetries'
    | 'deadline'
    | 'remainingMs'
    | 'nextAttemptAt'
    | 'startedAt'
    | 'endedAt'
  >
>

/** What an event writes into `runs`. */
export function rowPatchOf(
  event: RunEvent,
  run: Pick<Run, 'startedAt' | 'deadline' | 'remainingMs'>,
  now: number,
): RunRowPatch {
  switch (event.type) {
    case 'attempt_begun':
      return { state: 'preparing', nextAttemptAt: null, error: null }
    case 'start_begun':
      return {
        state: 'running',
        startedAt: run.startedAt ?? now,
        // A fallback start has what the start before it left.
        deadline: event.deadline ?? run.deadline,
        remainingMs: null,
      }
    case 'start_abandoned':
      return {}
    // Why it stops must survive a crash, so it stands in `error` before there is an outcome.
    case 'termination_begun':
    case 'collect_begun':
      return { state: 'stopping', error: toPending(event.ending) }
    case 'requeued':
      return {
        state: 'queued',
        llmRetries: event.llmRetries,
        nextAttemptAt: event.nextAttemptAt,
        error: JSON.stringify(event.failure),
        // Time runs while the agent works: a run that waits has no deadline, only what is left for its next start.
        deadline: null,
        remainingMs: remainingAfter(event, run),
      }
    case 'run_ended':
      return {
        state: 'ended',
        outcome: event.outcome,
        error: event.failure === null ? null : JSON.stringify(event.failure),
        nextAttemptAt: null,
        endedAt: now,
      }
  }
}

/** Of the time limit, in ms; null: all of it, as after a wait for the account or a login, or before the first start. */
function remainingAfter(
  event: Extract<RunEvent, { type: 'requeued' }>,
  run: Pick<Run, 'deadline' | 'remainingMs'>,
): number | null {
  if (event.why === 'account_limit') return null
  const { workedUntil } = event
  return run.deadline === null || workedUntil === undefined
    ? run.remainingMs
    : Math.max(0, run.deadline - workedUntil)
}

/**
 * The outcome that the current attempt gets with this event; null while it goes on. An attempt that has an outcome
 * keeps it: a run that is stopped while it waits for its next attempt changes nothing in the last one.
 */
export function attemptOutcomeOf(event: RunEvent): Outcome | null {
  if (event.type === 'run_ended') return event.outcome
  // One that could not begin goes on when it can.
  if (event.type !== 'requeued' || event.why === 'not_ready') return null
  return event.why === 'llm_retry' ? 'failed' : event.why
}

/** The failure that a run's row holds; null when nothing failed or it cannot be read any more. */
export function parseFailure(error: string | null): RunFailure | null {
  const parsed = runFailureSchema.safeParse(parseJson(error))
  return parsed.success ? parsed.data : null
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads the machine's state back from the rows, after a restart too. Attempts, and the starts of the last one, oldest first. */
export function stateOfRun(
  run: Pick<Run, 'state' | 'outcome' | 'error' | 'llmRetries' | 'nextAttemptAt'>,
  attempts: readonly Pick<RunAttempt, 'number' | 'outcome'>[],
  starts: readonly Pick<RunStart, 'kind'>[],
): RunMachineState {
  const last = attempts.at(-1) ?? null
  const progress = { attempt: Math.max(1, last?.number ?? 1), llmRetries: run.llmRetries }
  switch (run.state) {
    case 'queued':
      return { kind: 'queued', ...progress, attempt: nextAttempt(last), nextAttemptAt: run.nextAttemptAt }
    case 'preparing':
      return { kind: 'preparing', ...progress }
    case 'running':
      return {
        kind: 'running',
        ...progress,
        start: starts.at(-1)?.kind === 'fallback' ? 'fallback' : 'first',
        abandoned: null,
      }
    case 'stopping':
      return {
        kind: 'stopping',
        ...progress,
        step: starts.at(-1)?.kind === 'collect' ? 'collecting' : 'terminating',
        ending: toEnding(run.error),
      }
    case 'ended':
      return {
        kind: 'ended',
        ...progress,
        outcome: run.outcome ?? 'failed',
        failure: parseFailure(run.error),
      }
  }
}

/** A start that the account's limit cut keeps its attempt number. */
function nextAttempt(last: Pick<RunAttempt, 'number' | 'outcome'> | null): number {
  if (last === null) return 1
  return last.outcome === 'account_limit' || last.outcome === null ? last.number : last.number + 1
}

const STOPPED: RunFailure = { type: 'stopped', message: 'The run was stopped.' }

/** An ending that waits for the container: the failure, with the outcome beside it. */
const toPending = (ending: Ending): string =>
  JSON.stringify({ ...(ending.failure ?? STOPPED), pendingOutcome: ending.outcome })

const pendingSchema = z.object({ pendingOutcome: outcomeSchema })

function toEnding(error: string | null): Ending {
  const pending = pendingSchema.safeParse(parseJson(error))
  const outcome = pending.success ? pending.data.pendingOutcome : 'stopped'
  return { outcome, failure: outcome === 'succeeded' ? null : (parseFailure(error) ?? STOPPED) }
}
