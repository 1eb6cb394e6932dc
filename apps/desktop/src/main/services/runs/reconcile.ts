import type { RunId } from '@shared/model/ids'
import { runUidSchema } from '@shared/model/ids'
import { sandboxLabels } from '../../core/sandbox/sandbox-spec'
import type { ContainerState } from '../../ports/container-runtime'
import { cleanUpRun } from './run-actor'
import type { RunParts } from './run-parts'
import type { RunScheduler } from './run-scheduler'

/*
 * At start: what the rows say is held against what is there. A run's truth is its container, so live runs go on with
 * theirs, and each finds out by itself how it stands; what belongs to no live run is cleaned away.
 */

export interface Reconciliation {
  readonly adopted: readonly RunId[]
  readonly removed: number
  readonly releasedLocks: number
}

export async function reconcile(
  parts: RunParts,
  scheduler: Pick<RunScheduler, 'adopt'>,
  signal: AbortSignal,
): Promise<Reconciliation> {
  const live = parts.store.runs.listLive().filter((run) => run.state !== 'queued')
  const releasedLocks = releaseDeadLocks(parts)
  for (const run of live) scheduler.adopt(run.id)
  const removed = await removeOrphans(parts, signal)
  return { adopted: live.map((run) => run.id), removed, releasedLocks }
}

/** A lock whose run has ended or waits in the queue: its container is gone or an orphan, which is removed below. */
function releaseDeadLocks({ store, logger }: RunParts): number {
  let released = 0
  for (const lock of store.locks.list()) {
    const owner = store.runs.find(lock.runId)
    if (owner !== null && owner.state !== 'ended' && owner.state !== 'queued') continue
    store.locks.release(lock.mailboxId, lock.runId)
    logger.info('released the lock of a run that is over', { run: lock.runId, mailbox: lock.mailboxId })
    released += 1
  }
  return released
}

/** Containers of ours whose run is over, waits, or is unknown; their logs are redacted before they go. */
async function removeOrphans(parts: RunParts, signal: AbortSignal): Promise<number> {
  const runtime = parts.runtimeOf('container')
  const listed = await runtime.listByLabel(sandboxLabels.install, parts.store.installId())
  if (!listed.ok) {
    parts.onEngineSeen(listed)
    return 0
  }
  parts.onEngineSeen({ ok: true, value: null })
  let removed = 0
  for (const container of listed.value) {
    if (signal.aborted) return removed
    const run = runOf(parts, container)
    if (run !== null && run.state !== 'ended' && run.state !== 'queued') continue
    if (run !== null) await cleanUpRun(parts, run.id, signal)
    await runtime.remove(container.id)
    removed += 1
  }
  return removed
}

function runOf({ store }: RunParts, container: ContainerState) {
  const uid = runUidSchema.safeParse(container.labels[sandboxLabels.run])
  return uid.success ? store.runs.findByUid(uid.data) : null
}
