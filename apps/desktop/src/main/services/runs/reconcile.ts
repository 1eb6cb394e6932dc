import type { RunId } from '@shared/model/ids'
import { runUidSchema } from '@shared/model/ids'
import type { Run } from '@shared/model/records'
import { isTalk } from '../../core/run/talk'
import { sandboxLabels } from '../../core/sandbox/sandbox-spec'
import type { ContainerState } from '../../ports/container-runtime'
import { untilAnswered } from './engine-patience'
import { followUpRun } from './follow-up-run'
import type { Store } from '../../ports/stores'
import type { RunParts } from './run-parts'
import type { RunScheduler } from './run-scheduler'
import { takenOver } from './start-successor'

/*
 * At start: what the rows say is held against what is there. A run's truth is its container, so live runs go on with
 * theirs, and each finds out by itself how it stands; what an engine that died had begun to end is ended, and what
 * belongs to no live run is cleaned away.
 */

export interface Reconciliation {
  readonly adopted: readonly RunId[]
  readonly removed: number
  readonly releasedLocks: number
}

/** Settles when all of it is done: as long as the engine of containers does not answer, that is not so. */
export async function reconcile(
  parts: RunParts,
  scheduler: Pick<RunScheduler, 'adopt' | 'drives' | 'kick' | 'stopRun'>,
  signal: AbortSignal,
): Promise<Reconciliation> {
  const { store } = parts
  const notEnded = store.runs.listLive()
  const live = notEnded.filter((run) => run.state !== 'queued')
  const unsettled = store.runs.listUnsettled()
  for (const run of live) {
    noteNewEngine(parts, run.id)
    scheduler.adopt(run.id)
  }
  // A take-over that was asked for goes on with its stop, wherever it had come to. A run that waits for a talk is
  // noted in the same place, and nothing stops the talk for it.
  for (const run of notEnded) if (isTakenOver(store, run)) scheduler.stopRun(run.id, takenOver)
  for (const run of unsettled) if (!signal.aborted) await followUpRun(parts, run.id, signal)
  const isOver = (run: Run | null): boolean =>
    run === null || ((run.state === 'ended' || run.state === 'queued') && !scheduler.drives(run.id))
  const removed = await removeOrphans(parts, isOver, signal)
  const releasedLocks = await releaseDeadLocks(parts, isOver, signal)
  if (releasedLocks > 0) scheduler.kick()
  return { adopted: live.map((run) => run.id), removed, releasedLocks }
}

function isTakenOver({ runs }: Store, { id, phase }: Run): boolean {
  const successor = runs.successorOf(id)
  return successor !== null && (!isTalk(phase) || successor.terminal !== undefined)
}

/** The person sees that there was a gap, and that it did no harm. */
function noteNewEngine({ store, clock, feed }: RunParts, runId: RunId): void {
  const payload = { text: 'Alfred was started again, and goes on with this run.' }
  feed.publish(runId, store.events.append(runId, [{ at: clock.now(), kind: 'notice', payload }]))
}

/** Containers of ours whose run is over, waits, or is unknown; what is left to do for their runs is done before. */
async function removeOrphans(
  parts: RunParts,
  isOver: (run: Run | null) => boolean,
  signal: AbortSignal,
): Promise<number> {
  const runtime = parts.runtimeOf('container')
  const listed = await untilAnswered(
    () => runtime.listByLabel(sandboxLabels.install, parts.store.installId()),
    patienceOf(parts, signal),
  )
  if (listed === null || !listed.ok) return 0
  parts.onEngineSeen({ ok: true, value: null })
  let removed = 0
  for (const container of listed.value) {
    if (signal.aborted) return removed
    const run = runOf(parts, container)
    if (!isOver(run) || container.labels[sandboxLabels.engine] === parts.engineUid) continue
    if (run !== null) await followUpRun(parts, run.id, signal)
    await runtime.remove(container.id)
    removed += 1
  }
  return removed
}

/** A lock whose run is over is released by proof: its container is gone. Time says nothing. */
async function releaseDeadLocks(
  parts: RunParts,
  isOver: (run: Run | null) => boolean,
  signal: AbortSignal,
): Promise<number> {
  const { store, logger } = parts
  let released = 0
  for (const lock of store.locks.list()) {
    const owner = store.runs.find(lock.runId)
    if (!isOver(owner)) continue
    if (lock.containerName !== null) {
      const { containerName } = lock
      const runtime = parts.runtimeOf(owner?.runner ?? 'container')
      const gone = await untilAnswered(() => runtime.remove(containerName), patienceOf(parts, signal))
      if (gone === null || !gone.ok) continue
    }
    store.locks.release(lock.mailboxId, lock.runId)
    logger.info('released the lock of a run that is over', { run: lock.runId, mailbox: lock.mailboxId })
    released += 1
  }
  return released
}

const patienceOf = ({ clock, onEngineSeen }: RunParts, detach: AbortSignal) => ({
  clock,
  detach,
  onUnreachable: (error: Parameters<Parameters<typeof untilAnswered>[1]['onUnreachable']>[0]) =>
    onEngineSeen({ ok: false, error }),
})

function runOf({ store }: RunParts, container: ContainerState): Run | null {
  const uid = runUidSchema.safeParse(container.labels[sandboxLabels.run])
  return uid.success ? store.runs.findByUid(uid.data) : null
}
