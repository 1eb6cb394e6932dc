import type { RunFailure } from '@shared/contract/runs'
import { tellsIdLast } from '@shared/model/tells-id-last'
import type { ResumeFailure } from '@shared/model/words'
import { startProof } from '../../core/session/prove-resume'
import { stopGraceMs } from '../../core/sandbox/sandbox-spec'
import type { ContainerState } from '../../ports/container-runtime'
import { aside } from '../aside'
import { runBudgetUsed } from './budgets'
import { untilAnswered, type Patience } from './engine-patience'
import { followStart } from './follow-start'
import type { StartFiles } from './run-files'
import type { RunParts } from './run-parts'
import { settleStart } from './settle-start'
import { sessionRequestOf } from './start-container'
import { publishRun } from './publish-run'
import { createStartRecorder, type StartRecorder } from './start-recorder'
import {
  containerGone,
  isStopping,
  streamFailure,
  warnOf,
  type StartScene,
  type StartSupervision,
} from './start-scene'
import { watchLimits, type LimitWatch } from './watch-limits'

/** Follows a start in which the CLI works, until its container has ended and all that it printed is stored. */
export async function superviseAgent(
  parts: RunParts,
  supervision: StartSupervision,
  scene: StartScene,
  files: StartFiles,
  container: ContainerState,
): Promise<void> {
  const { runId, detach, send, stop } = supervision
  const { start, session, runtime, patience } = scene
  let isAbandoned = false
  const recorder = recorderOf(
    parts,
    scene,
    (reason) => {
      isAbandoned = true
      send({ type: 'abandon_start', reason })
    },
    // A CLI that tells its cost at its end only has done its work by then.
    () => {
      const spent = runBudgetUsed(parts, scene.context.run)
      if (spent !== null && !recorder.hasResult()) stop(spent)
    },
  )
  const ended = new AbortController()
  // What ended while nobody looked is judged by its own end.
  const limits = container.running
    ? watchStart(parts, scene, files, container.id, AbortSignal.any([ended.signal, detach]), stop)
    : null
  const following = followStart({
    files,
    recorder,
    ended: ended.signal,
    detach,
    onRefused: (error) => stop(streamFailure(error)),
  })
  // A stop that came between the step and the container's start found nothing to stop.
  if (isStopping(parts, runId))
    aside(
      parts.logger,
      'stopping a container',
      untilAnswered(() => runtime.stop(container.id, stopGraceMs), {
        ...patience,
        detach: AbortSignal.any([ended.signal, detach]),
      }),
    )

  let engineWasAway = false
  const waiting: Patience = {
    ...patience,
    onUnreachable: (error) => {
      engineWasAway = true
      patience.onUnreachable(error)
    },
  }
  // What cannot be stored ends this supervision, and the run's actor begins another one.
  const exit = await Promise.race([
    untilAnswered(
      () => runtime.wait(container.id, detach, { ...waiting, onSeen: (state) => limits?.seen(state) }),
      waiting,
    ),
    rejectionOf(following),
  ]).finally(() => {
    limits?.account()
    ended.abort()
  })
  await following
  if (exit === null || detach.aborted) return
  if (!exit.ok) {
    return send(containerGone(parts, scene, engineWasAway), () => {
      if (!engineWasAway) parts.store.runs.addCutOff(runId)
    })
  }
  parts.store.runs.updateStart(start.id, { exitCode: exit.value.exitCode })
  if (exit.value.memoryLimitHit && !exit.value.outOfMemory)
    warnOf(parts, runId, 'A process of the agent was ended by the memory limit.')
  await settleStart(parts, supervision, scene, {
    recorder,
    exit: exit.value,
    isAbandoned,
    engineWasAway,
    lastWrittenAt: Math.max(await files.stdout.writtenAt(), await files.stderr.writtenAt()),
    wasWatched: container.running,
    session,
  })
}

/** Never resolves. */
const rejectionOf = (work: Promise<unknown>): Promise<never> =>
  new Promise((_, reject) => void work.catch(reject))

function watchStart(
  { clock, disk, diskReserveBytes, dataFolder, logger, storage, store }: RunParts,
  { context, runtime, patience }: StartScene,
  files: StartFiles,
  containerId: string,
  signal: AbortSignal,
  onReached: (reason: RunFailure) => void,
): LimitWatch {
  const { run, settings, timeoutMs, workspacePath, statePath } = context
  return watchLimits(
    {
      clock,
      disk,
      logger,
      deadline: run.deadline,
      timeoutMs,
      folders: [workspacePath, statePath, files.output],
      maxBytes: settings.RUN_DISK,
      reserveBytes: diskReserveBytes,
      dataFolder,
      isAtWork: async () => {
        const look = await untilAnswered(() => runtime.inspect(containerId), patience)
        if (look === null || !look.ok || !look.value.running) return false
        return look.value.paused ? null : true
      },
      onDeadlineMoved: (deadline) => {
        try {
          store.runs.update(run.id, { deadline })
        } catch (error) {
          // The watch knows it all the same; only a crash now would forget it.
          storage.met(error)
        }
      },
      signal,
    },
    onReached,
  )
}

function recorderOf(
  parts: RunParts,
  { context, start, session }: StartScene,
  onProofFailed: (reason: ResumeFailure) => void,
  onUsage: () => void,
): StartRecorder {
  const asked = sessionRequestOf(session, start)
  return createStartRecorder({
    ...parts,
    runId: context.run.id,
    startId: start.id,
    startNumber: start.number,
    sessionId: session.id,
    adapter: context.adapter,
    proof: startProof({
      asked: asked.mode === 'resume' ? asked.nativeId : null,
      isOwn: asked.mode === 'resume' && asked.nativeId !== session.requestedSessionId,
      isOff: asked.mode === 'none',
      isByGrowth: tellsIdLast(context.adapter.id),
      pattern: context.adapter.sessionIdPattern,
    }),
    storedUpTo: { stdout: start.stdout?.offset ?? 0, stderr: start.stderr?.offset ?? 0 },
    onProofFailed,
    onSessionTold: () => {
      publishRun(parts, context.run.id)
      onUsage()
    },
  })
}
