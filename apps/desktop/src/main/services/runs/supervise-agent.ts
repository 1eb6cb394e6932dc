import type { RunFailure } from '@shared/contract/runs'
import type { RunId } from '@shared/model/ids'
import type { ResumeFailure } from '@shared/model/words'
import { stopGraceMs } from '../../core/sandbox/sandbox-spec'
import type { ContainerState } from '../../ports/container-runtime'
import { untilAnswered, type Patience } from './engine-patience'
import { followStart } from './follow-start'
import type { StartFiles } from './run-files'
import type { RunParts } from './run-parts'
import { settleStart } from './settle-start'
import { sessionRequestOf } from './start-container'
import { createStartRecorder, type StartRecorder } from './start-recorder'
import {
  containerGone,
  isStopping,
  outcomeOfStop,
  streamFailure,
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
  { context, start, session }: StartScene,
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
