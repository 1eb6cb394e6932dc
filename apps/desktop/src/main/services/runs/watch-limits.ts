import type { RunFailure } from '@shared/contract/runs'
import { formatBytes, formatDuration } from '@shared/format'
import type { Clock } from '../../ports/clock'
import type { Disk } from '../../ports/disk'
import { failure } from './run-parts'

/** Between two looks at the disk and at the clock. */
const lookEveryMs = 10_000
/** The host keeps at least this much. */
const hostReserveBytes = 2_000_000_000
/** A timer that is this late was not late: the computer slept, or its clock was set. */
const jumpMs = 30_000

export interface LimitFacts {
  readonly clock: Clock
  readonly disk: Disk
  /** Epoch ms. */
  readonly deadline: number | null
  readonly timeoutMs: number
  /** Workspace, outputs and session state. */
  readonly folders: readonly string[]
  readonly maxBytes: number
  readonly dataFolder: string
  /** Looks whether the start still works: one that ended by itself has met no limit. */
  readonly isAtWork: () => Promise<boolean>
  /** The clock jumped, and the deadline with it: while the computer slept, the agent did not work. */
  readonly onDeadlineMoved: (deadline: number) => void
  readonly signal: AbortSignal
}

/** Watches time and disk of a start that works; tells the first limit that is reached, once. */
export function watchLimits(facts: LimitFacts, onReached: (failure: RunFailure) => void): void {
  const watching = new AbortController()
  const signal = AbortSignal.any([facts.signal, watching.signal])
  const reached = async (found: RunFailure): Promise<void> => {
    if (signal.aborted || !(await facts.isAtWork()) || signal.aborted) return
    watching.abort()
    onReached(found)
  }
  void watchDeadline(facts, signal, reached)
  void watchDisk(facts, signal, reached)
}

async function watchDeadline(
  { clock, deadline: deadlineAtFirst, timeoutMs, onDeadlineMoved }: LimitFacts,
  signal: AbortSignal,
  reached: (f: RunFailure) => Promise<void>,
): Promise<void> {
  if (deadlineAtFirst === null) return
  let deadline = deadlineAtFirst
  while (!signal.aborted && clock.now() < deadline) {
    const before = clock.now()
    const planned = Math.min(deadline - before, lookEveryMs)
    await clock.sleep(planned, signal)
    if (signal.aborted) return
    const late = clock.now() - before - planned
    if (Math.abs(late) < jumpMs) continue
    deadline += late
    onDeadlineMoved(deadline)
  }
  await reached(failure('timed_out', `The time limit of ${formatDuration(timeoutMs)} was reached.`))
}

async function watchDisk(
  facts: LimitFacts,
  signal: AbortSignal,
  reached: (f: RunFailure) => Promise<void>,
): Promise<void> {
  const { clock, disk, folders, maxBytes, dataFolder } = facts
  while (!signal.aborted) {
    await clock.sleep(lookEveryMs, signal)
    if (signal.aborted) return
    const free = await disk.freeBytes(dataFolder)
    if (free !== null && free < hostReserveBytes) {
      return reached(
        failure(
          'disk_limit',
          `The disk is nearly full: ${formatBytes(free)} are left, ${formatBytes(hostReserveBytes)} are kept free.`,
        ),
      )
    }
    let bytes = 0
    for (const folder of folders) bytes += (await disk.sizeOf(folder, maxBytes, signal)).bytes
    if (!signal.aborted && bytes > maxBytes) {
      return reached(failure('disk_limit', `The run used more than its ${formatBytes(maxBytes)} of disk.`))
    }
  }
}
