import type { RunFailure } from '@shared/contract/runs'
import type { ResumeFailure } from '@shared/model/words'
import { startProof } from '../../core/session/prove-resume'
import { stopGraceMs } from '../../core/sandbox/sandbox-spec'
import type { ContainerState } from '../../ports/container-runtime'
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
  outcomeOfStop,
  streamFailure,
  warnOf,
  type StartScene,
  type StartSupervision,
} from './start-scene'
import { watchLimits } from './watch-limits'

/** Follows a start in which the CLI works, until its container has ended and all that it printed is stored. */
export async function superviseAgent(
  parts: RunParts,
  supervision: StartSupervision,
  scene: StartScene,
  files: StartFiles,
  container: ContainerState,
): Promise<void> {
  const { runId, detach, send } = supervision
  const { start, session, runtime, patience } = scene
  let isAbandoned = false
  const recorder = recorderOf(parts, scene, (reason) => {
    isAbandoned = true
    send({ type: 'abandon_start', reason })
  })
  const ended = new AbortController()
  const stopFor = (reason: RunFailure): void =>
    send({ type: 'stop', ending: { outcome: outcomeOfStop(reason), failure: reason } })
  // What ended while nobody looked is judged by its own end.
  if (container.running)
    watchStart(parts, scene, files, container.id, AbortSignal.any([ended.signal, detach]), stopFor)
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
  if (!exit.ok) return send(containerGone(parts, scene))
  parts.store.runs.updateStart(start.id, { exitCode: exit.value.exitCode })
  if (exit.value.memoryLimitHit && !exit.value.outOfMemory)
    warnOf(parts, runId, 'A process of the agent was ended by the memory limit.')
  await settleStart(parts, supervision, scene, {
    recorder,
    exit: exit.value,
    isAbandoned,
    engineWasAway,
    session,
  })
}

function watchStart(
  { clock, disk, dataFolder, store }: RunParts,
  { context, runtime, patience }: StartScene,
  files: StartFiles,
  containerId: string,
  signal: AbortSignal,
  onReached: (reason: RunFailure) => void,
): void {
  const { run, settings, workspacePath, statePath } = context
  watchLimits(
    {
      clock,
      disk,
      deadline: run.deadline,
      timeoutMs: settings.RUN_TIMEOUT,
      folders: [workspacePath, statePath, files.output],
      maxBytes: settings.RUN_DISK,
      dataFolder,
      isAtWork: async () => {
        const look = await untilAnswered(() => runtime.inspect(containerId), patience)
        return look !== null && look.ok && look.value.running
      },
      onDeadlineMoved: (deadline) => store.runs.update(run.id, { deadline }),
      signal,
    },
    onReached,
  )
}

function recorderOf(
  parts: RunParts,
  { context, start, session }: StartScene,
  onProofFailed: (reason: ResumeFailure) => void,
): StartRecorder {
  const asked = sessionRequestOf(session, start)
  return createStartRecorder({
    ...parts,
    runId: context.run.id,
    startId: start.id,
    sessionId: session.id,
    adapter: context.adapter,
    proof: startProof({
      asked: asked.mode === 'resume' ? asked.nativeId : null,
      isOwn: asked.mode === 'resume' && asked.nativeId !== session.requestedSessionId,
      isOff: asked.mode === 'none',
      pattern: context.adapter.sessionIdPattern,
    }),
    storedUpTo: { stdout: start.stdout?.offset ?? 0, stderr: start.stderr?.offset ?? 0 },
    onProofFailed,
    onSessionTold: () => publishRun(parts, context.run.id),
  })
}
