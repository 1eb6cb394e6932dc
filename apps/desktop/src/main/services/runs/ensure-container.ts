import { containerName } from '../../core/sandbox/sandbox-spec'
import type { ContainerState, EngineInfo } from '../../ports/container-runtime'
import { untilAnswered } from './engine-patience'
import type { RunContext } from './run-context'
import type { StartFiles } from './run-files'
import { failure, type RunParts } from './run-parts'
import { buildStartSpec, contractOf, startCommandOf } from './start-container'
import {
  containerGone,
  couldNotStart,
  isStopping,
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
  if (present.ok) return adopt(parts, scene, present.value)
  if (start.containerId !== null && start.kind !== 'collect') {
    send(containerGone(parts, scene))
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
