import { assertPresent } from '@shared/assert'
import { stackOf } from '@shared/defect'
import type { RunFailure } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import { stopGraceMs } from '../../core/sandbox/sandbox-spec'
import type { RunCommand, RunEffect, RunEvent } from '../../core/run/run-machine'
import { saidOnce } from '../../core/run/said-once'
import { notRepeated } from '../../core/run/not-repeated'
import { continuedSessionFields, initialSessionFields } from '../../core/session/resolve-session'
import { storageFailureOf } from '../../ports/storage-failure'
import { aside } from '../aside'
import { hasReachedAgent } from '../chats/settle-turn'
import { agentMissing } from './agent-missing'
import { untilAnswered } from './engine-patience'
import { followUpRun } from './follow-up-run'
import { issueHashFile, prepareRun, type PreparedRun } from './prepare-run'
import { publishRun } from './publish-run'
import { redactFailure } from './redacted-failure'
import { settleRun } from './settle-run'
import { noteEvents } from './run-notes'
import type { RunParts } from './run-parts'
import { writeRunRecord } from './run-record'
import { currentAttempt, openStart, readRunRows, readRunState, takeStep } from './run-step'
import { outcomeOfStop, type Finished, type StartSupervision } from './start-scene'
import { untilStored } from './storage-patience'
import { superviseStart } from './supervise-start'

/*
 * Drives one run that has begun: commands into its machine, effects out of it. It holds no state of its own that
 * matters: a new actor on the same rows goes on where this one was.
 */

export interface RunActor {
  readonly runId: RunId
  stop(reason: RunFailure): void
  /** Resolves when the run has ended or is queued again, or after the detach. */
  readonly done: Promise<void>
}

/** Goes on with a run in whatever state its rows say, `queued` and `ended` excepted. */
export function startRunActor(parts: RunParts, runId: RunId, detach: AbortSignal): RunActor {
  const { store, clock, logger } = parts
  const tasks = new Set<Promise<void>>()
  const preparing = new AbortController()
  const settled = new AbortController()

  /** A task that the disk or the database did not let finish is begun anew once they do. */
  const spawn = (what: string, task: () => Promise<void>): void => {
    const work = async (): Promise<void> => {
      try {
        storeStop()
        await task()
      } catch (defect) {
        if (storageFailureOf(defect) !== null) throw defect
        logger.error(`${what} of a run failed: ${stackOf(defect)}`, { run: runId })
        await endAfterDefect(defect)
      }
    }
    const running = untilStored(parts, work, detach)
      .catch((defect: unknown) => logger.error(`a run was left: ${stackOf(defect)}`, { run: runId }))
      .finally(() => tasks.delete(running))
    tasks.add(running)
  }

  /** A defect must not leave a run that never ends; what it made is kept like that of a stopped run. */
  const endAfterDefect = async (defect: unknown): Promise<void> => {
    if (detach.aborted || settled.signal.aborted) return
    const failure: RunFailure = {
      type: 'unexpected',
      message: defect instanceof Error ? defect.message : String(defect),
    }
    send({ type: 'stop', ending: { outcome: 'failed', failure } })
    // The end gives the mailbox to others: by then nothing of this run may work in it any more.
    await endContainer()
    send({ type: 'exited', exit: { outcome: 'failed', failure, fallback: null, isCollected: true } })
  }

  /** Stop works without the disk too: the container ends at once, and that it was a stop is stored as soon as it can be. */
  const stop = (reason: RunFailure): void => {
    unstoredStop = { type: 'stop', ending: { outcome: outcomeOfStop(reason), failure: reason } }
    try {
      storeStop()
    } catch (error) {
      if (storageFailureOf(error) === null) throw error
      parts.storage.met(error)
      spawn('storing a stop', () => Promise.resolve())
      aside(logger.with({ run: runId }), 'stopping a container', endContainer())
    }
  }
  let unstoredStop: RunCommand | null = null
  const storeStop = (): void => {
    if (unstoredStop === null) return
    take(unstoredStop)
    unstoredStop = null
  }

  const send: StartSupervision['send'] = (command, alongside, finished) => {
    storeStop()
    take(command, alongside, finished)
  }

  const take = (
    command: RunCommand,
    alongside: (events: readonly RunEvent[]) => void = () => undefined,
    finished: Finished = { harvest: null },
  ): void => {
    if (detach.aborted) return
    const meant = redactFailure(asOfTurn(command), parts.redact)
    const step = takeStep(store, runId, meant, clock.now(), (events) => {
      alongside(events)
      noteEvents(parts, runId, events)
      if (events.some((event) => event.type === 'run_ended')) settleRun(parts, runId, finished, issueSha256)
    })
    if (!step.ok)
      return logger.warn(`a command came at the wrong time: ${step.error.message}`, { run: runId })
    publishRun(parts, runId)
    for (const effect of step.value.effects) perform(effect)
  }
  let issueSha256: string | null = null

  const asOfTurn = (command: RunCommand): RunCommand => {
    switch (store.runs.get(runId).phase) {
      case 'chat':
        return saidOnce(command, hasReachedAgent(store, runId))
      case 'terminal':
        return notRepeated(command)
      default:
        return command
    }
  }

  const perform = (effect: RunEffect): void => {
    switch (effect.type) {
      case 'prepare':
        return spawn('preparing', prepare)
      case 'start_container':
        return spawn('a start', startContainer)
      case 'stop_container':
        return spawn('stopping', stopContainer)
      case 'schedule':
      case 'finish':
        settled.abort()
        return spawn('cleaning up', cleanUp)
    }
  }

  const prepare = async (): Promise<void> => {
    const noAgent = agentMissing(parts, runId)
    if (noAgent !== null) return send({ type: 'prepare_failed', failure: noAgent })
    const preparation = await prepareRun(parts, runId, AbortSignal.any([preparing.signal, detach]))
    if (detach.aborted) return
    switch (preparation.type) {
      case 'ready': {
        const { run, timeoutMs } = preparation.prepared.context
        const deadline = clock.now() + (run.remainingMs ?? timeoutMs)
        return send({ type: 'prepared', deadline }, () => storePrepared(parts, runId, preparation.prepared))
      }
      case 'failed':
        return send({ type: 'prepare_failed', failure: preparation.failure })
      case 'later':
        return send({
          type: 'not_ready',
          nextAttemptAt: clock.now() + preparation.afterMs,
          failure: preparation.failure,
        })
      case 'stopped':
        // The stop itself ends the run, see `stopContainer`.
        return
    }
  }

  const startContainer = async (): Promise<void> => {
    issueSha256 = await parts.files.readInput(store.runs.get(runId).uid, issueHashFile)
    writeRunRecord(parts, runId)
    await superviseStart(parts, { runId, detach, send, stop })
  }

  /** The start that is under way sees its container end; without a start there is nothing to wait for. */
  const stopContainer = async (): Promise<void> => {
    preparing.abort()
    const start = openStart(readRunRows(store, runId).starts)
    if (start === null) {
      return send({
        type: 'exited',
        exit: { outcome: 'stopped', failure: null, fallback: null, isCollected: true },
      })
    }
    await endContainer()
  }

  const endContainer = async (): Promise<void> => {
    const { run, starts } = readRunRows(store, runId)
    const containerId = openStart(starts)?.containerId ?? null
    if (containerId === null) return
    const runtime = parts.runtimeOf(run.runner)
    await untilAnswered(() => runtime.stop(containerId, stopGraceMs), {
      clock,
      detach,
      onUnreachable: (error) => parts.onEngineSeen({ ok: false, error }),
    })
  }

  const cleanUp = async (): Promise<void> => {
    parts.activities.clear(runId)
    await followUpRun(parts, runId, detach)
  }

  begin(readRunState(store, runId).kind)
  return {
    runId,
    stop,
    done: whenIdle(),
  }

  function begin(kind: ReturnType<typeof readRunState>['kind']): void {
    switch (kind) {
      case 'preparing':
        return spawn('preparing', prepare)
      case 'running':
        return spawn('a start', startContainer)
      case 'stopping': {
        const start = openStart(readRunRows(store, runId).starts)
        if (start !== null) spawn('a start', startContainer)
        if (start?.kind !== 'collect') spawn('stopping', stopContainer)
        return
      }
      case 'queued':
      case 'ended':
        return
    }
  }

  async function whenIdle(): Promise<void> {
    while (tasks.size > 0) await Promise.all(tasks)
  }
}

/** Rows that belong to the step that begins the first start. */
function storePrepared({ store, clock }: RunParts, runId: RunId, prepared: PreparedRun): void {
  const { context, image, plan, state, baseSha } = prepared
  const attempt = currentAttempt(store, runId)
  const { run, mailbox } = context
  store.runs.update(runId, { baseSha, sessionOffReason: plan.mode === 'none' ? plan.offReason : null })
  store.runs.updateAttempt(attempt.id, { imageDigest: image?.digest ?? null })
  const start = assertPresent(openStart(store.runs.listStarts(attempt.id)), 'this step begins a start')
  store.runs.updateStart(start.id, { askedSessionId: plan.mode === 'resume' ? plan.nativeId : null })
  const before = {
    stateBytesBefore: state?.bytes ?? null,
    stateBytesAfter: null,
    stateSavedAt: state?.savedAt ?? null,
  }
  const begun = store.sessions.findByAttempt(attempt.id)
  // An attempt that the account's limit cut goes on in its row.
  if (begun) {
    const fields = continuedSessionFields(plan, begun)
    const isBegunAnew = fields.mode !== undefined
    return store.sessions.update(begun.id, { ...fields, ...(isBegunAnew ? before : {}), endedAt: null })
  }
  store.sessions.add({
    runId,
    attemptId: attempt.id,
    mailboxId: mailbox.id,
    adapter: run.adapter,
    provider: run.provider,
    model: run.model,
    ...initialSessionFields(plan),
    ...before,
    firstEventAt: null,
    inputTokens: null,
    cachedTokens: null,
    outputTokens: null,
    costUsd: null,
    contextUsed: null,
    contextMax: null,
    turns: null,
    toolCalls: null,
    createdAt: clock.now(),
    endedAt: null,
  })
}
