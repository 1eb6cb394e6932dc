import { assertPresent } from '@shared/assert'
import type { RunFailure } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import type { LlmSession, RunAttempt, RunStart } from '@shared/model/records'
import type { RunCommand, RunEvent } from '../../core/run/run-machine'
import type { ContainerRuntime } from '../../ports/container-runtime'
import type { StreamFileError } from '../../ports/stream-files'
import type { Patience } from './engine-patience'
import type { Harvest } from './harvest'
import { interruptionPauseMs, maxCutOffs } from './judge-exit'
import { loadRunContext, type RunContext } from './run-context'
import { failure, type RunParts } from './run-parts'
import { currentAttempt, readRunState } from './run-step'

/*
 * What everything that happens to one start needs to know of it, and the commands that several of them send.
 */

export interface StartSupervision {
  readonly runId: RunId
  /** The engine leaves; the container goes on. */
  readonly detach: AbortSignal
  /** Takes a step of the run's machine; after the detach it does nothing. */
  readonly send: (
    command: RunCommand,
    alongside?: (events: readonly RunEvent[]) => void,
    finished?: Finished,
  ) => void
  /** Ends the run for this reason, also while nothing can be stored. */
  readonly stop: (reason: RunFailure) => void
}

/** What a step that ends the run tells its listener. */
export interface Finished {
  readonly harvest: Harvest | null
}

/** A start as its rows and the settings say it. */
export interface StartScene {
  readonly context: RunContext
  readonly attempt: RunAttempt
  readonly start: RunStart
  readonly session: LlmSession
  readonly runtime: ContainerRuntime
  readonly patience: Patience
}

export function setScene(parts: RunParts, { runId, detach }: StartSupervision): StartScene {
  const context = loadRunContext(parts, runId)
  const attempt = currentAttempt(parts.store, runId)
  return {
    context,
    attempt,
    start: assertPresent(
      parts.store.runs.listStarts(attempt.id).at(-1),
      'the step that began the start stored it',
    ),
    session: assertPresent(
      parts.store.sessions.findByAttempt(attempt.id),
      'the step that began the first start stored it',
    ),
    runtime: parts.runtimeOf(context.run.runner),
    patience: {
      clock: parts.clock,
      detach,
      onUnreachable: (error) => parts.onEngineSeen({ ok: false, error }),
    },
  }
}

export const isStopping = (parts: RunParts, runId: RunId): boolean =>
  readRunState(parts.store, runId).kind === 'stopping'

/** Says on the transcript what a person should know, though it ends nothing. */
export function warnOf(
  { store, clock, feed }: Pick<RunParts, 'store' | 'clock' | 'feed'>,
  runId: RunId,
  text: string,
): void {
  feed.publish(runId, store.events.append(runId, [{ at: clock.now(), kind: 'warning', payload: { text } }]))
}

/** Nothing ran, so there is nothing to collect. */
export const couldNotStart = (reason: RunFailure): RunCommand => ({
  type: 'exited',
  exit: { outcome: outcomeOfStop(reason), failure: reason, fallback: null, isCollected: true },
})

const lastEventsLookedAt = 50

/**
 * Nobody can say when it ended: it worked at least until its last word. `isExplained`: it went while Alfred or the
 * engine of containers was away, which may happen as often as it likes.
 */
export function containerGone(
  { clock, store }: RunParts,
  { context, start }: Pick<StartScene, 'context' | 'start'>,
  isExplained: boolean,
): Extract<RunCommand, { type: 'interrupted' }> {
  const last = store.events
    .listBefore(context.run.id, Number.MAX_SAFE_INTEGER, lastEventsLookedAt)
    // What Alfred noted itself says nothing about the agent.
    .findLast(({ kind }) => kind !== 'notice' && kind !== 'warning')
  return {
    type: 'interrupted',
    isCollected: false,
    canGoOn: isExplained || store.runs.cutOffs(context.run.id) + 1 < maxCutOffs,
    nextAttemptAt: clock.now() + interruptionPauseMs,
    failure: failure('interrupted', 'The container is gone without having told its end.'),
    workedUntil: Math.max(start.startedAt, last?.at ?? 0),
  }
}

export const streamFailure = (error: StreamFileError): RunFailure =>
  error.type === 'too_large'
    ? failure('output_too_large', error.message)
    : failure('stream_replaced', error.message)

/** The outcome of a run that Alfred ends for this reason. */
export function outcomeOfStop(reason: RunFailure): 'stopped' | 'timed_out' | 'result_refused' | 'failed' {
  switch (reason.type) {
    case 'stopped':
    case 'forge_changed':
      return 'stopped'
    case 'timed_out':
      return 'timed_out'
    case 'stream_replaced':
      return 'result_refused'
    default:
      return 'failed'
  }
}
