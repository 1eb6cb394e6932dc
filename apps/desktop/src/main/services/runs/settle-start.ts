import type { LlmSession } from '@shared/model/records'
import type { RunCommand, RunEvent } from '../../core/run/run-machine'
import { isTalk } from '../../core/run/talk'
import { fallbackPlan } from '../../core/session/resolve-session'
import type { ContainerState } from '../../ports/container-runtime'
import type { SessionPatch } from '../../ports/stores'
import { harvest, leftBehindWords, type Harvest } from './harvest'
import { isExplained, judgeExit } from './judge-exit'
import { makeRoomForSession } from './make-room'
import type { RunContext } from './run-context'
import { failure, type RunParts } from './run-parts'
import { lookAtStateAfter, settleSetAside, storeStateAfter } from './session-after-run'
import type { StartRecorder } from './start-recorder'
import { judgeTerminal } from '../terminals/judge-terminal'
import { isStopping, warnOf, type StartScene, type StartSupervision } from './start-scene'
import { uncommittedWords } from './uncommitted-words'

export interface StartEndFacts {
  readonly recorder: StartRecorder
  readonly exit: ContainerState
  readonly isAbandoned: boolean
  readonly engineWasAway: boolean
  readonly wasWatched: boolean
  /** The last word of the start (epoch ms), read by somebody or not. */
  readonly lastWrittenAt: number
  readonly session: LlmSession
}

/** Checks what the start left, and tells the machine what its end means. */
export async function settleStart(
  parts: RunParts,
  { runId, detach, send }: StartSupervision,
  scene: StartScene,
  end: StartEndFacts,
): Promise<void> {
  const { context, attempt, start } = scene
  const { recorder, exit } = end
  const outputs = await parts.files.takeOutputs(context.run.uid, {
    attempt: attempt.number,
    start: start.number,
  })
  const { mailbox } = context
  // The deadline may have moved since the start began.
  const run = parts.store.runs.get(runId)
  const collected = await harvest(parts, {
    context,
    outputs,
    branch: mailbox.branchName ?? '',
    baseSha: run.baseSha ?? '',
    lastText: recorder.lastText(),
    signal: detach,
  })
  const session = parts.store.sessions.get(end.session.id)
  const stateAfter = await lookAtStateAfter(parts, context, session, recorder.seenSession())
  const asked = start.askedSessionId
  const askedState =
    asked === null ? null : await parts.states.look(context.statePath, context.adapter.sessionFile(asked))
  if (detach.aborted) return
  const now = parts.clock.now()
  const endedAt = endOf(exit, collected) ?? Math.min(now, Math.max(start.startedAt, end.lastWrittenAt))
  const judge = run.phase === 'terminal' ? judgeTerminal : judgeExit
  const verdict = judge(
    {
      exitCode: exit.exitCode,
      outOfMemory: exit.outOfMemory,
      isAbandoned: end.isAbandoned,
      isStopping: isStopping(parts, runId),
      engineWasAway: end.engineWasAway,
      asked,
      state: askedState,
      agent: recorder.ended(exit.exitCode),
      harvest: collected,
      remainingMs: (run.deadline ?? endedAt) - endedAt,
      cutOffs: parts.store.runs.cutOffs(runId),
      wasWatched: end.wasWatched,
      now,
      endedAt,
      maxRetries: context.settings.MAX_LLM_RETRIES,
      memoryLimitBytes: context.settings.RUN_MEMORY,
    },
    context.adapter,
  )
  const command = await takeBranchAlong(parts, context, verdict.command, collected)
  if (detach.aborted) return
  noteUncommitted(parts, context, collected)
  if (stateAfter.words !== undefined) warnOf(parts, runId, stateAfter.words)
  if (collected.isLeftBehind) warnOf(parts, runId, leftBehindWords)
  if (askedState?.isReadOnly === true) warnOf(parts, runId, readOnlyWords(context.statePath))
  if (command.type === 'exited' && command.exit.fallback !== null) {
    const words = await makeRoomForSession(parts.states, context, recorder.ended(exit.exitCode))
    if (words !== null) warnOf(parts, runId, words)
  }
  send(
    command,
    (events) => {
      const patch: SessionPatch = {
        ...verdict.sessionPatch,
        ...freshIdFor(parts, context, session, events, verdict.sessionPatch),
      }
      storeStateAfter(parts, session, start.number, stateAfter)
      if (Object.keys(patch).length > 0) parts.store.sessions.update(session.id, patch)
      parts.store.runs.updateStart(start.id, { endedAt })
      if (command.type === 'interrupted' && !isExplained(end)) parts.store.runs.addCutOff(runId)
      settleSetAside(parts.store, context, parts.store.sessions.get(session.id), now)
    },
    { harvest: collected },
  )
}

/** After a talk a person wants to know what lies there beside the commits. */
function noteUncommitted(
  { store, clock, feed, redact }: RunParts,
  { run }: RunContext,
  { uncommitted }: Harvest,
): void {
  const text = isTalk(run.phase) ? uncommittedWords(uncommitted, redact) : null
  if (text === null) return
  feed.publish(run.id, store.events.append(run.id, [{ at: clock.now(), kind: 'notice', payload: { text } }]))
}

const readOnlyWords = (statePath: string): string =>
  `The state of the session cannot be written, so nothing more can be saved in it. Make what lies in ${statePath} writable for its owner.`

/** What an engine says of a container that went while it was away itself. */
const unseenExitCode = 255

/**
 * Time passed until the container ended, whenever that was seen. null: nobody knows when, as after a loss of power;
 * the engine then tells the time at which it came back.
 */
const endOf = (
  { endedAt, exitCode }: Pick<ContainerState, 'endedAt' | 'exitCode'>,
  { isCollected }: Pick<Harvest, 'isCollected'>,
): number | null => (isCollected || (exitCode !== unseenExitCode && exitCode !== null) ? endedAt : null)

/**
 * The branch in our repository is what phase runs made: a success moves it to the run's last commit. What a
 * person's talk made waits beside it.
 */
async function takeBranchAlong(
  parts: RunParts,
  { run, repositoryPath, mailbox }: RunContext,
  command: RunCommand,
  { head }: Harvest,
): Promise<RunCommand> {
  const hasSucceeded =
    command.type === 'exited' && command.exit.outcome === 'succeeded' && command.exit.fallback === null
  if (!hasSucceeded || head === null || mailbox.branchName === null || isTalk(run.phase)) return command
  const repository = await parts.git.openMailboxRepository(repositoryPath)
  const present = repository.ok ? await repository.value.ownBranch(mailbox.branchName) : repository
  if (!present.ok) return refused(command, present.error.message)
  if (!repository.ok || present.value === head.sha) return command
  const moved = await repository.value.setOwnBranch(mailbox.branchName, head.sha, present.value)
  return moved.ok ? command : refused(command, moved.error.message)
}

const refused = (command: Extract<RunCommand, { type: 'exited' }>, message: string): RunCommand => ({
  ...command,
  exit: { ...command.exit, outcome: 'result_refused', failure: failure('bundle_refused', message) },
})

/** The fallback start gets an id of its own, stored in the step that begins it. */
function freshIdFor(
  parts: RunParts,
  { adapter }: RunContext,
  session: LlmSession,
  events: readonly RunEvent[],
  failed: SessionPatch,
): SessionPatch {
  const begins = events.some((event) => event.type === 'start_begun' && event.start === 'fallback')
  const reason = failed.resumeFallback
  const asked = failed.requestedSessionId ?? null
  if (!begins || session.sessionName === null || asked === null) return {}
  if (reason !== 'state_missing' && reason !== 'unsupported_version' && reason !== 'refused') return {}
  const plan = fallbackPlan({
    name: session.sessionName,
    requestedId: asked,
    reason,
    choosesId: adapter.choosesId,
    newId: parts.randomness.uuidV4(),
  })
  // How large the state was after this start says nothing about the session that begins now.
  return { chosenSessionId: plan.chosenId, stateBytesAfter: null }
}
