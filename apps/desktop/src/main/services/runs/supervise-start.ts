import { assertPresent } from '@shared/assert'
import type { RunFailure } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import type { LlmSession, RunAttempt, RunStart } from '@shared/model/records'
import type { ResumeFailure } from '@shared/model/words'
import { collectTimeoutMs, containerName, stopGraceMs } from '../../core/sandbox/sandbox-spec'
import type { RunCommand, RunEvent } from '../../core/run/run-machine'
import { fallbackPlan } from '../../core/session/resolve-session'
import type { ContainerRuntime, ContainerState } from '../../ports/container-runtime'
import type { SessionPatch } from '../../ports/stores'
import type { StreamFileError } from '../../ports/stream-files'
import { untilAnswered, type Patience } from './engine-patience'
import { followStart } from './follow-start'
import { harvest, type Harvest } from './harvest'
import { judgeExit } from './judge-exit'
import { loadRunContext, type RunContext } from './run-context'
import type { StartFiles } from './run-files'
import { failure, type RunParts } from './run-parts'
import { currentAttempt, readRunState } from './run-step'
import { lookAtStateAfter, settleSetAside } from './session-after-run'
import { buildStartSpec, contractOf, runUser, sessionRequestOf, startCommandOf } from './start-container'
import { createStartRecorder, type StartRecorder } from './start-recorder'
import { watchLimits } from './watch-limits'

/*
 * One start of the CLI from its container's making to the command that its end means. Begun anew after a restart it
 * finds the container that is there and reads on; what was done already is not done twice.
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
}

/** What a step that ends the run tells its listener. */
export interface Finished {
  readonly harvest: Harvest | null
}

interface Scene {
  readonly context: RunContext
  readonly attempt: RunAttempt
  readonly start: RunStart
  readonly session: LlmSession
  readonly runtime: ContainerRuntime
  readonly patience: Patience
}

export async function superviseStart(parts: RunParts, supervision: StartSupervision): Promise<void> {
  const { runId, detach, send } = supervision
  const scene = setScene(parts, supervision)
  const engine = await untilAnswered(() => scene.runtime.info(), scene.patience)
  if (engine === null) return
  if (!engine.ok) return send(couldNotStart(failure('docker_unreachable', engine.error.message)))
  parts.onEngineSeen(engine)
  const { context, attempt, start } = scene
  const user = runUser(parts, context.run, engine.value)
  const files = await parts.files.openStart(
    context.run.uid,
    { attempt: attempt.number, start: start.number },
    user,
  )
  if (!files.ok) return send(couldNotStart(streamFailure(files.error)))
  try {
    const container = await ensureContainer(parts, supervision, scene, files.value, engine.value)
    if (container === null || detach.aborted) return
    parts.activities.clear(runId)
    if (start.kind === 'collect') await superviseCollect(parts, supervision, scene, container)
    else await superviseAgent(parts, supervision, scene, files.value, container)
  } finally {
    await files.value.stdout.close()
    await files.value.stderr.close()
  }
}

function setScene(parts: RunParts, { runId, detach }: StartSupervision): Scene {
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

const isStopping = (parts: RunParts, runId: RunId): boolean =>
  readRunState(parts.store, runId).kind === 'stopping'

/** Nothing ran, so there is nothing to collect. */
const couldNotStart = (reason: RunFailure): RunCommand => ({
  type: 'exited',
  exit: { outcome: 'failed', failure: reason, fallback: null, isCollected: true },
})

/** The container of this start, made when it is not there; null when the run's state has been told already. */
async function ensureContainer(
  parts: RunParts,
  { runId, send }: StartSupervision,
  scene: Scene,
  files: StartFiles,
  engine: Parameters<typeof buildStartSpec>[1]['engine'],
): Promise<ContainerState | null> {
  const { context, attempt, start, session, runtime, patience } = scene
  const name = containerName({ runUid: context.run.uid, attempt: attempt.number, start: start.number })
  const present = await untilAnswered(() => runtime.inspect(name), patience)
  if (present === null) return null
  if (present.ok) return adopt(parts, scene, present.value)
  if (start.containerId !== null && start.kind !== 'collect') {
    send(containerGone(parts, attempt))
    return null
  }
  if (start.kind !== 'collect' && isStopping(parts, runId)) {
    send(couldNotStart(failure('stopped', 'The run was stopped before its container began.')))
    return null
  }
  const facts = {
    context,
    attempt,
    start,
    session,
    engine,
    files,
    branchExists: await branchExists(parts, context),
  }
  if (start.kind !== 'collect') await parts.files.writeInput(context.run.uid, startCommandOf(facts).files)
  const spec = await buildStartSpec(parts, facts)
  if (!spec.ok) {
    send(couldNotStart(failure('workspace_failed', spec.error)))
    return null
  }
  if (start.kind === 'first') parts.store.runs.setSandbox(attempt.id, contractOf(facts, spec.value))
  parts.store.locks.setContainer(context.mailbox.id, spec.value.name)
  const started = await untilAnswered(() => runtime.start(spec.value), patience)
  if (started === null) return null
  if (!started.ok) {
    const type = started.error.type === 'image_missing' ? 'image_missing' : 'workspace_failed'
    send(
      start.kind === 'collect' ? { type: 'collected' } : couldNotStart(failure(type, started.error.message)),
    )
    return null
  }
  return adopt(parts, scene, started.value)
}

function adopt({ store }: RunParts, { context, start }: Scene, container: ContainerState): ContainerState {
  if (start.containerId !== container.id) store.runs.updateStart(start.id, { containerId: container.id })
  store.locks.setContainer(context.mailbox.id, container.name)
  return container
}

const containerGone = ({ clock }: RunParts, attempt: RunAttempt): RunCommand => ({
  type: 'interrupted',
  canGoOn: attempt.number < 5,
  nextAttemptAt: clock.now() + 2_000,
  failure: failure('interrupted', 'The container is gone without having told its end.'),
})

async function branchExists(parts: RunParts, { repositoryPath, mailbox }: RunContext): Promise<boolean> {
  const repository = await parts.git.openMailboxRepository(repositoryPath)
  if (!repository.ok || mailbox.branchName === null) return false
  const own = await repository.value.ownBranch(mailbox.branchName)
  const there = await repository.value.remoteBranch(mailbox.branchName)
  return (own.ok && own.value !== null) || (there.ok && there.value !== null)
}

async function superviseAgent(
  parts: RunParts,
  supervision: StartSupervision,
  scene: Scene,
  files: StartFiles,
  container: ContainerState,
): Promise<void> {
  const { runId, detach, send } = supervision
  const { context, start, session, runtime, patience } = scene
  let isAbandoned = false
  const recorder = recorderOf(parts, scene, (reason) => {
    isAbandoned = true
    send({ type: 'abandon_start', reason })
  })
  const ended = new AbortController()
  const stopFor = (reason: RunFailure): void =>
    send({ type: 'stop', ending: { outcome: outcomeOfStop(reason), failure: reason } })
  watchLimits(
    {
      clock: parts.clock,
      disk: parts.disk,
      deadline: context.run.deadline,
      timeoutMs: context.settings.RUN_TIMEOUT,
      folders: [context.workspacePath, context.statePath, files.output],
      maxBytes: context.settings.RUN_DISK,
      dataFolder: parts.dataFolder,
      signal: AbortSignal.any([ended.signal, detach]),
    },
    stopFor,
  )
  const following = followStart({
    files,
    recorder,
    ended: ended.signal,
    detach,
    onRefused: (error) => stopFor(streamFailure(error)),
  })
  // A stop that came between the step and the container's start found nothing to stop.
  if (isStopping(parts, runId)) void runtime.stop(container.id, stopGraceMs)

  let engineWasAway = false
  const waiting = {
    ...patience,
    onUnreachable: (e: Parameters<Patience['onUnreachable']>[0]) => (
      (engineWasAway = true),
      patience.onUnreachable(e)
    ),
  }
  const exit = await untilAnswered(() => runtime.wait(container.id, detach), waiting)
  ended.abort()
  await following
  if (exit === null || detach.aborted) return
  if (!exit.ok) return send(containerGone(parts, scene.attempt))
  parts.store.runs.updateStart(start.id, { exitCode: exit.value.exitCode, endedAt: parts.clock.now() })
  if (exit.value.memoryLimitHit && !exit.value.outOfMemory)
    warn(parts, runId, 'A process of the agent was ended by the memory limit.')
  await settleStart(parts, supervision, scene, {
    recorder,
    exit: exit.value,
    isAbandoned,
    engineWasAway,
    session,
  })
}

function warn({ store, clock, feed }: RunParts, runId: RunId, text: string): void {
  feed.publish(runId, store.events.append(runId, [{ at: clock.now(), kind: 'warning', payload: { text } }]))
}

function recorderOf(
  parts: RunParts,
  { context, start, session }: Scene,
  onProofFailed: (reason: ResumeFailure) => void,
): StartRecorder {
  const asked = sessionRequestOf(session, start.kind)
  return createStartRecorder({
    ...parts,
    runId: context.run.id,
    startId: start.id,
    sessionId: session.id,
    adapter: context.adapter,
    proof: {
      asked: asked.mode === 'resume' ? asked.nativeId : null,
      isOff: asked.mode === 'none',
      pattern: context.adapter.sessionIdPattern,
      seen: null,
    },
    storedUpTo: { stdout: start.stdout?.offset ?? 0, stderr: start.stderr?.offset ?? 0 },
    onProofFailed,
  })
}

interface StartEndFacts {
  readonly recorder: StartRecorder
  readonly exit: ContainerState
  readonly isAbandoned: boolean
  readonly engineWasAway: boolean
  readonly session: LlmSession
}

/** Checks what the start left, and tells the machine what its end means. */
async function settleStart(
  parts: RunParts,
  { runId, detach, send }: StartSupervision,
  scene: Scene,
  end: StartEndFacts,
): Promise<void> {
  const { context, attempt, start } = scene
  const { recorder, exit } = end
  const outputs = await parts.files.takeOutputs(context.run.uid, {
    attempt: attempt.number,
    start: start.number,
  })
  const { run, mailbox } = context
  const collected = await harvest(parts, {
    context,
    outputs,
    branch: mailbox.branchName ?? '',
    baseSha: run.baseSha ?? '',
    lastText: recorder.lastText(),
    signal: detach,
  })
  const session = parts.store.sessions.get(end.session.id)
  const statePatch = await lookAtStateAfter(parts, context, session, recorder.seenSession())
  if (detach.aborted) return
  const asked = sessionRequestOf(end.session, start.kind)
  const now = parts.clock.now()
  const verdict = judgeExit(
    {
      exitCode: exit.exitCode,
      outOfMemory: exit.outOfMemory,
      isAbandoned: end.isAbandoned,
      isStopping: isStopping(parts, runId),
      engineWasAway: end.engineWasAway,
      asked: asked.mode === 'resume' ? asked.nativeId : null,
      agent: recorder.ended(exit.exitCode),
      harvest: collected,
      remainingMs: (run.deadline ?? now) - now,
      attempt: attempt.number,
      now,
      maxRetries: context.settings.MAX_LLM_RETRIES,
      memoryLimitBytes: context.settings.RUN_MEMORY,
    },
    context.adapter,
  )
  const command = await takeBranchAlong(parts, context, verdict.command, collected)
  if (detach.aborted) return
  send(
    command,
    (events) => {
      const patch: SessionPatch = {
        ...statePatch,
        ...verdict.sessionPatch,
        ...freshIdFor(parts, context, session, events, verdict.sessionPatch),
      }
      if (Object.keys(patch).length > 0) parts.store.sessions.update(session.id, patch)
      settleSetAside(parts.store, context, parts.store.sessions.get(session.id), now)
    },
    { harvest: collected },
  )
}

/** The branch in our repository is what phase runs made: a success moves it to the run's last commit. */
async function takeBranchAlong(
  parts: RunParts,
  { repositoryPath, mailbox }: RunContext,
  command: RunCommand,
  { head }: Harvest,
): Promise<RunCommand> {
  const hasSucceeded =
    command.type === 'exited' && command.exit.outcome === 'succeeded' && command.exit.fallback === null
  if (!hasSucceeded || head === null || mailbox.branchName === null) return command
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
  if (!begins || session.sessionName === null || session.requestedSessionId === null) return {}
  if (reason !== 'state_missing' && reason !== 'unsupported_version' && reason !== 'refused') return {}
  const plan = fallbackPlan({
    name: session.sessionName,
    requestedId: session.requestedSessionId,
    reason,
    choosesId: adapter.choosesId,
    newId: parts.randomness.uuidV4(),
  })
  return { chosenSessionId: plan.chosenId }
}

async function superviseCollect(
  parts: RunParts,
  { detach, send }: StartSupervision,
  scene: Scene,
  container: ContainerState,
): Promise<void> {
  const { context, attempt, start, session, runtime, patience } = scene
  const ended = new AbortController()
  void parts.clock.sleep(collectTimeoutMs, AbortSignal.any([ended.signal, detach])).then(() => {
    if (!ended.signal.aborted && !detach.aborted) void runtime.stop(container.id, 0)
  })
  const exit = await untilAnswered(() => runtime.wait(container.id, detach), patience)
  ended.abort()
  if (exit === null || detach.aborted) return
  const now = parts.clock.now()
  parts.store.runs.updateStart(start.id, { exitCode: exit.ok ? exit.value.exitCode : null, endedAt: now })
  const outputs = await parts.files.takeOutputs(context.run.uid, {
    attempt: attempt.number,
    start: start.number,
  })
  const collected = await harvest(parts, {
    context,
    outputs,
    branch: context.mailbox.branchName ?? '',
    baseSha: context.run.baseSha ?? '',
    lastText: null,
    signal: detach,
  })
  const statePatch = await lookAtStateAfter(
    parts,
    context,
    parts.store.sessions.get(session.id),
    session.nativeSessionId,
  )
  if (detach.aborted) return
  send(
    { type: 'collected' },
    () => {
      if (Object.keys(statePatch).length > 0) parts.store.sessions.update(session.id, statePatch)
    },
    { harvest: collected },
  )
}

const streamFailure = (error: StreamFileError): RunFailure =>
  error.type === 'too_large'
    ? failure('output_too_large', error.message)
    : failure('stream_replaced', error.message)

/** The outcome of a run that Alfred stops for this reason. */
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
