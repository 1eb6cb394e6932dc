import { diskFull } from '../../ports/storage-failure'
import { containerName } from '../../core/sandbox/sandbox-spec'
import { ok, type Result } from '@shared/result'
import type { ContainerError, ContainerSpec, ContainerState, EngineInfo } from '../../ports/container-runtime'
import { untilAnswered } from './engine-patience'
import { holdAgain } from './hold-again'
import type { RunContext } from './run-context'
import type { StartFiles } from './run-files'
import { failure, type RunParts } from './run-parts'
import { buildStartSpec, contractOf, startCommandOf } from './start-container'
import {
  containerGone,
  couldNotStart,
  isStopping,
  warnOf,
  type StartScene,
  type StartSupervision,
} from './start-scene'

/** The container of this start, made when it is not there; null when the run's state has been told already. */
export async function ensureContainer(
  parts: RunParts,
  { runId, send }: StartSupervision,
  scene: StartScene,
  files: StartFiles,
  engine: EngineInfo,
): Promise<ContainerState | null> {
  const { context, attempt, start, session, runtime, patience } = scene
  const name = containerName({ runUid: context.run.uid, attempt: attempt.number, start: start.number })
  const present = await untilAnswered(() => runtime.inspect(name), patience)
  if (present === null) return null
  // One that was made and never started has nothing to tell: it is started below.
  if (present.ok && present.value.startedAt !== null) {
    if (isTerminal(scene) && present.value.running)
      await holdAgain(
        { terminals: parts.terminals, patience, warn: (text) => warnOf(parts, runId, text) },
        runId,
        { runtime, id: present.value.id },
      )
    return adopt(parts, scene, present.value)
  }
  if (start.containerId !== null && start.kind !== 'collect') {
    send(containerGone(parts, scene, true))
    return null
  }
  if (start.kind !== 'collect' && isStopping(parts, runId)) {
    send(stoppedBefore)
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
  if (isTerminal(scene) && !parts.terminals.isAwaited(runId)) {
    send(nobodyWaits)
    return null
  }
  if (start.kind !== 'collect') await parts.files.writeInput(context.run.uid, startCommandOf(facts).files)
  const spec = await buildStartSpec(parts, facts)
  if (!spec.ok) {
    send(couldNotStart(failure('workspace_failed', spec.error)))
    return null
  }
  if (start.kind === 'first') parts.store.runs.setSandbox(attempt.id, contractOf(facts, spec.value))
  parts.store.locks.setContainer(context.mailbox.id, spec.value.name)
  const started = await untilAnswered(() => startUnlessStopped(parts, scene, spec.value), patience)
  if (started === null) return null
  if (!started.ok) {
    if (/no space left on device/i.test(started.error.message)) throw diskFull(started.error.message)
    const type = started.error.type === 'image_missing' ? 'image_missing' : 'workspace_failed'
    send(
      start.kind === 'collect' ? { type: 'collected' } : couldNotStart(failure(type, started.error.message)),
    )
    return null
  }
  if (started.value !== null) return adopt(parts, scene, started.value)
  send(stoppedBefore)
  return null
}

/** Who asked for it has gone, or Alfred was started again meanwhile. */
const nobodyWaits = couldNotStart(failure('stopped', 'Nobody waited for the terminal any more.'))

const isTerminal = ({ context, start }: StartScene): boolean =>
  context.run.phase === 'terminal' && start.kind !== 'collect'

const stoppedBefore = couldNotStart(failure('stopped', 'The run was stopped before its container began.'))

/** An engine that is away may come back long after somebody stopped the run: null, nothing was started. */
async function startUnlessStopped(
  parts: RunParts,
  scene: StartScene,
  spec: ContainerSpec,
): Promise<Result<ContainerState | null, ContainerError>> {
  const { context, start, runtime } = scene
  if (start.kind === 'collect' || !isStopping(parts, context.run.id))
    return isTerminal(scene) ? startTerminal(parts, scene, spec) : runtime.start(spec)
  // It may have taken the call before it stopped answering.
  const present = await runtime.inspect(spec.name)
  if (!present.ok) return present.error.type === 'not_found' ? ok(null) : present
  if (present.value.running) return present
  const removed = await runtime.remove(present.value.id)
  return removed.ok ? ok(null) : removed
}

/** Held before it starts, so that nothing it shows is missed. */
async function startTerminal(
  { terminals }: RunParts,
  { context, runtime }: StartScene,
  spec: ContainerSpec,
): Promise<Result<ContainerState, ContainerError>> {
  const made = await runtime.create(spec)
  if (!made.ok) return made
  const held = await terminals.hold(context.run.id, { runtime, id: made.value.id, isRunning: false })
  if (!held.ok) return held
  const started = await runtime.start(spec)
  if (started.ok) terminals.started(context.run.id)
  return started
}

function adopt(
  { store }: RunParts,
  { context, start }: StartScene,
  container: ContainerState,
): ContainerState {
  if (start.containerId !== container.id) store.runs.updateStart(start.id, { containerId: container.id })
  store.locks.setContainer(context.mailbox.id, container.name)
  return container
}

async function branchExists(parts: RunParts, { repositoryPath, mailbox }: RunContext): Promise<boolean> {
  const repository = await parts.git.openMailboxRepository(repositoryPath)
  if (!repository.ok || mailbox.branchName === null) return false
  const own = await repository.value.ownBranch(mailbox.branchName)
  const there = await repository.value.remoteBranch(mailbox.branchName)
  return (own.ok && own.value !== null) || (there.ok && there.value !== null)
}
