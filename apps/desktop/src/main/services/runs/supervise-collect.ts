import { collectTimeoutMs } from '../../core/sandbox/sandbox-spec'
import type { ContainerState } from '../../ports/container-runtime'
import { aside } from '../aside'
import { untilAnswered } from './engine-patience'
import { harvest, leftBehindWords } from './harvest'
import type { RunParts } from './run-parts'
import { lookAtStateAfter, storeStateAfter } from './session-after-run'
import { sleepAwake } from './sleep-awake'
import { warnOf, type StartScene, type StartSupervision } from './start-scene'

/** Waits for the container that collects the work of a start which could not; when it fails, the work stays in the workspace. */
export async function superviseCollect(
  parts: RunParts,
  { runId, detach, send }: StartSupervision,
  scene: StartScene,
  container: ContainerState,
): Promise<void> {
  const { context, attempt, start, session, runtime, patience } = scene
  const ended = new AbortController()
  const waits = AbortSignal.any([ended.signal, detach])
  const endInTime = sleepAwake(parts.clock, collectTimeoutMs, waits).then(() =>
    untilAnswered(() => runtime.stop(container.id, 0), { ...patience, detach: waits }),
  )
  aside(parts.logger, 'stopping a container', endInTime)
  const exit = await untilAnswered(() => runtime.wait(container.id, detach), patience)
  ended.abort()
  if (exit === null || detach.aborted) return
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
  const stateAfter = await lookAtStateAfter(
    parts,
    context,
    parts.store.sessions.get(session.id),
    session.nativeSessionId,
  )
  if (detach.aborted) return
  if (!collected.isCollected || collected.isLeftBehind) warnOf(parts, runId, leftBehindWords)
  send(
    { type: 'collected' },
    () => {
      parts.store.runs.updateStart(start.id, {
        exitCode: exit.ok ? exit.value.exitCode : null,
        ...(exit.ok && exit.value.endedAt !== null ? { endedAt: exit.value.endedAt } : {}),
      })
      storeStateAfter(parts, session, start.number, stateAfter)
    },
    { harvest: collected },
  )
}
