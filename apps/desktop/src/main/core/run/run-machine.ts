import type { RunFailure } from '@shared/contract/runs'
import type { Outcome, ResumeFailure } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'

/*
 * The life of one run: decide says what a command means, evolve takes the event in, effectsOf says what must be
 * done once the event is stored. Effects are idempotent: names derive from run, attempt and start.
 */

/** `attempt` is the one that begins next while queued, and the current one afterwards. */
interface Progress {
  readonly attempt: number
  readonly llmRetries: number
}

export type LiveStart = 'first' | 'fallback'

/** How the run will end once its container has gone. */
export interface Ending {
  readonly outcome: Outcome
  readonly failure: RunFailure | null
}

export type RunMachineState =
  | ({ readonly kind: 'queued'; readonly nextAttemptAt: number | null } & Progress)
  | ({ readonly kind: 'preparing' } & Progress)
  /** `abandoned`: this start is being stopped since its resume failed; a fallback start follows. */
  | ({
      readonly kind: 'running'
      readonly start: LiveStart
      readonly abandoned: ResumeFailure | null
    } & Progress)
  | ({
      readonly kind: 'stopping'
      readonly step: 'terminating' | 'collecting'
      readonly ending: Ending
    } & Progress)
  | ({ readonly kind: 'ended' } & Ending & Progress)

export type RunCommand =
  /** A slot and the mailbox's lock are there. */
  | { readonly type: 'begin'; readonly now: number }
  /** Image, workspace and session are resolved; `deadline` (epoch ms) is that of the start which begins now. */
  | { readonly type: 'prepared'; readonly deadline: number }
  /** Nothing was started and nothing can be: the image is missing, the workspace is broken. */
  | { readonly type: 'prepare_failed'; readonly failure: RunFailure }
  /** Nothing was started, and what is missing comes by itself: the attempt goes on then. */
  | { readonly type: 'not_ready'; readonly failure: RunFailure; readonly nextAttemptAt: number }
  /** The CLI works in another thread than the one asked for. */
  | { readonly type: 'abandon_start'; readonly reason: ResumeFailure }
  | { readonly type: 'exited'; readonly exit: StartExit }
  | ({
      readonly type: 'provider_failed'
      readonly failure: RunFailure
      readonly retry: ProviderRetry
    } & Worked)
  /** The container is gone without the run's doing: engine, machine or app stopped. */
  | ({
      readonly type: 'interrupted'
      readonly canGoOn: boolean
      /** As of an exit: what cannot go on is collected before it ends, or the next run would wipe it away. */
      readonly isCollected: boolean
      readonly nextAttemptAt: number
      readonly failure: RunFailure
    } & Worked)
  | { readonly type: 'stop'; readonly ending: Ending }
  /** The collect container has ended, well or not. */
  | { readonly type: 'collected' }

interface Worked {
  /** When the start's work ended (epoch ms): what passed since then uses up none of the run's time. */
  readonly workedUntil: number
}

export interface StartExit extends Ending {
  /** From `fallbackAfter`: recognised failure of the resume, with time left or without; null: none. */
  readonly fallback: { readonly reason: ResumeFailure; readonly hasTime: boolean } | null
  /** Whether the entry came to its collect step; false after KILL, out of memory or a timeout. */
  readonly isCollected: boolean
}

export type ProviderRetry =
  /** A provider error that may be repeated, at most `max` times per run. */
  | { readonly type: 'retryable'; readonly max: number; readonly nextAttemptAt: number }
  /** The account's limit, or a missing login: waits and uses up no attempt. */
  | { readonly type: 'wait'; readonly nextAttemptAt: number }
  | { readonly type: 'never' }

export type RunEvent =
  | { readonly type: 'attempt_begun'; readonly attempt: number }
  | { readonly type: 'start_begun'; readonly start: LiveStart; readonly deadline: number | null }
  | { readonly type: 'start_abandoned'; readonly reason: ResumeFailure }
  | { readonly type: 'termination_begun'; readonly ending: Ending }
  | { readonly type: 'collect_begun'; readonly ending: Ending }
  | ({
      readonly type: 'requeued'
      readonly why: 'interrupted' | 'llm_retry' | 'account_limit' | 'not_ready'
      readonly nextAttemptAt: number
      readonly failure: RunFailure
    } & Progress &
      Partial<Worked>)
  | ({ readonly type: 'run_ended' } & Ending)

export type RunEffect =
  | { readonly type: 'prepare'; readonly attempt: number }
  | { readonly type: 'start_container'; readonly start: LiveStart | 'collect' }
  | { readonly type: 'stop_container' }
  | { readonly type: 'schedule'; readonly at: number }
  | { readonly type: 'finish'; readonly outcome: Outcome }

export interface RunError {
  readonly type: 'not_possible_now'
  readonly message: string
}

export const newRun = (): RunMachineState => ({
  kind: 'queued',
  attempt: 1,
  llmRetries: 0,
  nextAttemptAt: null,
})

type Decision = Result<readonly RunEvent[], RunError>

const refuse = (state: RunMachineState, command: RunCommand): Decision =>
  err({ type: 'not_possible_now', message: `${command.type} while the run is ${state.kind}` })

const ended = (ending: Ending): RunEvent => ({
  type: 'run_ended',
  outcome: ending.outcome,
  failure: ending.failure,
})

/** What the command means in this state. Commands that come too late mean nothing (no events, no error). */
export function decide(state: RunMachineState, command: RunCommand): Decision {
  if (command.type === 'stop') return decideStop(state, command.ending)
  switch (state.kind) {
    case 'queued':
      if (command.type !== 'begin') return refuse(state, command)
      return (state.nextAttemptAt ?? 0) > command.now
        ? err({ type: 'not_possible_now', message: 'the next attempt is not due yet' })
        : ok([{ type: 'attempt_begun', attempt: state.attempt }])
    case 'preparing':
      return decidePreparing(state, command)
    case 'running':
      return decideRunning(state, command)
    case 'stopping':
      return decideStopping(state, command)
    case 'ended':
      return ok([])
  }
}

function decideStop(state: RunMachineState, ending: Ending): Decision {
  switch (state.kind) {
    case 'queued':
      return ok([ended(ending)])
    case 'preparing':
    case 'running':
      return ok([{ type: 'termination_begun', ending }])
    // The first reason counts.
    case 'stopping':
    case 'ended':
      return ok([])
  }
}

type InState<K extends RunMachineState['kind']> = Extract<RunMachineState, { kind: K }>

function decidePreparing(state: InState<'preparing'>, command: RunCommand): Decision {
  switch (command.type) {
    case 'prepared':
      return ok([{ type: 'start_begun', start: 'first', deadline: command.deadline }])
    case 'prepare_failed':
      return ok([ended({ outcome: 'failed', failure: command.failure })])
    case 'not_ready': {
      const { attempt, llmRetries } = state
      const { failure, nextAttemptAt } = command
      return ok([{ type: 'requeued', why: 'not_ready', attempt, llmRetries, nextAttemptAt, failure }])
    }
    default:
      return refuse(state, command)
  }
}

function decideRunning(state: InState<'running'>, command: RunCommand): Decision {
  switch (command.type) {
    case 'abandon_start':
      return state.start === 'first' && state.abandoned === null
        ? ok([{ type: 'start_abandoned', reason: command.reason }])
        : ok([])
    case 'exited':
      return ok([afterExit(state, command.exit)])
    case 'provider_failed':
      return ok([afterProviderFailure(state, command)])
    case 'interrupted':
      return ok([afterInterruption(state, command)])
    default:
      return refuse(state, command)
  }
}

/** Whatever ends the container now: the reason for stopping stays. */
function decideStopping(state: InState<'stopping'>, command: RunCommand): Decision {
  switch (command.type) {
    case 'exited':
    case 'interrupted': {
      const { isCollected } = command.type === 'exited' ? command.exit : command
      return ok([endOnceCollected(state.ending, isCollected || state.step === 'collecting')])
    }
    // Preparing went on while the stop came: nothing was started.
    case 'prepared':
    case 'prepare_failed':
    case 'not_ready':
    case 'provider_failed':
      return ok([ended(state.ending)])
    case 'collected':
      return state.step === 'collecting' ? ok([ended(state.ending)]) : refuse(state, command)
    case 'abandon_start':
      return ok([])
    default:
      return refuse(state, command)
  }
}

const endOnceCollected = (ending: Ending, isCollected: boolean): RunEvent =>
  isCollected ? ended(ending) : { type: 'collect_begun', ending }

function afterExit(state: InState<'running'>, exit: StartExit): RunEvent {
  const isFallback = state.start === 'first' && exit.fallback !== null
  if (isFallback && exit.fallback?.hasTime === true)
    return { type: 'start_begun', start: 'fallback', deadline: null }
  const ending: Ending = isFallback
    ? { outcome: 'timed_out', failure: { type: 'timed_out', message: 'No time was left for a fresh start.' } }
    : { outcome: exit.outcome, failure: exit.failure }
  return endOnceCollected(ending, exit.isCollected)
}

function afterProviderFailure(
  state: Progress,
  command: Extract<RunCommand, { type: 'provider_failed' }>,
): RunEvent {
  const { failure, retry, workedUntil } = command
  const { attempt, llmRetries } = state
  if (retry.type === 'wait') {
    return {
      type: 'requeued',
      why: 'account_limit',
      attempt,
      llmRetries,
      nextAttemptAt: retry.nextAttemptAt,
      failure,
      workedUntil,
    }
  }
  if (retry.type === 'retryable' && llmRetries < retry.max) {
    const { nextAttemptAt } = retry
    return {
      type: 'requeued',
      why: 'llm_retry',
      attempt: attempt + 1,
      llmRetries: llmRetries + 1,
      nextAttemptAt,
      failure,
      workedUntil,
    }
  }
  return ended({ outcome: 'failed', failure })
}

function afterInterruption(state: Progress, command: Extract<RunCommand, { type: 'interrupted' }>): RunEvent {
  const { failure, isCollected, nextAttemptAt, workedUntil } = command
  return command.canGoOn
    ? {
        type: 'requeued',
        why: 'interrupted',
        attempt: state.attempt + 1,
        llmRetries: state.llmRetries,
        nextAttemptAt,
        failure,
        workedUntil,
      }
    : endOnceCollected({ outcome: 'interrupted', failure }, isCollected)
}

/** Takes an event in. Events come from `decide` in the same state; a run that has ended stays as it is. */
export function evolve(state: RunMachineState, event: RunEvent): RunMachineState {
  if (state.kind === 'ended') return state
  const progress: Progress = { attempt: state.attempt, llmRetries: state.llmRetries }
  switch (event.type) {
    case 'attempt_begun':
      return { kind: 'preparing', ...progress, attempt: event.attempt }
    case 'start_begun':
      return { kind: 'running', ...progress, start: event.start, abandoned: null }
    case 'start_abandoned':
      return state.kind === 'running' ? { ...state, abandoned: event.reason } : state
    case 'termination_begun':
      return { kind: 'stopping', ...progress, step: 'terminating', ending: event.ending }
    case 'collect_begun':
      return { kind: 'stopping', ...progress, step: 'collecting', ending: event.ending }
    case 'requeued':
      return {
        kind: 'queued',
        attempt: event.attempt,
        llmRetries: event.llmRetries,
        nextAttemptAt: event.nextAttemptAt,
      }
    case 'run_ended':
      return { kind: 'ended', ...progress, outcome: event.outcome, failure: event.failure }
  }
}

/** What to do once the event is committed. */
export function effectsOf(event: RunEvent): readonly RunEffect[] {
  switch (event.type) {
    case 'attempt_begun':
      return [{ type: 'prepare', attempt: event.attempt }]
    case 'start_begun':
      return [{ type: 'start_container', start: event.start }]
    // TERM first: the entry forwards it, waits, kills and collects.
    case 'start_abandoned':
    case 'termination_begun':
      return [{ type: 'stop_container' }]
    case 'collect_begun':
      return [{ type: 'start_container', start: 'collect' }]
    case 'requeued':
      return [{ type: 'schedule', at: event.nextAttemptAt }]
    case 'run_ended':
      return [{ type: 'finish', outcome: event.outcome }]
  }
}
