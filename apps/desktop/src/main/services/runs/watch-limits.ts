import type { RunFailure } from '@shared/contract/runs'
import { formatBytes, formatDuration } from '@shared/format'
import type { Clock } from '../../ports/clock'
import type { ContainerState } from '../../ports/container-runtime'
import type { Disk } from '../../ports/disk'
import type { Logger } from '../../ports/logger'
import { aside } from '../aside'
import { failure } from './run-parts'

/** Between two looks at the disk. */
const lookEveryMs = 10_000
/** Between two looks at the clock. */
const tickMs = 2_000
/** Time that is missing or left over, beyond this, is not the work of a late timer: the computer slept, or its clock was set. */
const jumpMs = 5_000
/** A container that was seen paused twice was so all the time between, unless that is longer than it is looked at. */
const longestPauseMs = 15_000

export interface LimitFacts {
  readonly clock: Clock
  readonly disk: Disk
  readonly logger: Pick<Logger, 'error'>
  /** Epoch ms. */
  readonly deadline: number | null
  readonly timeoutMs: number
  /** Workspace, outputs and session state. */
  readonly folders: readonly string[]
  readonly maxBytes: number
  /** What the host keeps free. */
  readonly reserveBytes: number
  readonly dataFolder: string
  /** Looks whether the start still works: one that ended by itself has met no limit; `null`: it is paused. */
  readonly isAtWork: () => Promise<boolean | null>
  /** While the computer slept, its process was stopped or its container was paused, the agent did not work. */
  readonly onDeadlineMoved: (deadline: number) => void
  readonly signal: AbortSignal
}

export interface LimitWatch {
  /** Tells, by `onDeadlineMoved`, what was slept since the last look: before anything is judged by the deadline. */
  account(): void
  /** The container, as it was just seen. */
  seen(container: Pick<ContainerState, 'paused'>): void
}

/** Watches time and disk of a start that works; tells the first limit that is reached, once. */
export function watchLimits(facts: LimitFacts, onReached: (failure: RunFailure) => void): LimitWatch {
  const watching = new AbortController()
  const signal = AbortSignal.any([facts.signal, watching.signal])
  const deadline = movingDeadline(facts)
  const reached = (found: RunFailure): void => {
    if (signal.aborted) return
    watching.abort()
    onReached(found)
  }
  const reachedAtWork = async (found: RunFailure): Promise<void> => {
    if ((await facts.isAtWork()) !== false) reached(found)
  }
  aside(facts.logger, 'watching the time of a run', watchDeadline(facts, deadline, signal, reached))
  aside(facts.logger, 'watching the disk of a run', watchDisk(facts, signal, reachedAtWork))
  return deadline
}

interface MovingDeadline extends LimitWatch {
  leftMs(): number
}

function movingDeadline({ clock, deadline: atFirst, onDeadlineMoved }: LimitFacts): MovingDeadline {
  let deadline = atFirst ?? Number.POSITIVE_INFINITY
  let lookedAt = { wall: clock.now(), monotonic: clock.monotonic() }
  let pausedAt: number | null = null

  const move = (ms: number): void => {
    if (atFirst === null) return
    // The monotonic clock has fractions, which no stored time has.
    deadline += Math.round(ms)
    onDeadlineMoved(deadline)
  }
  const account = (): void => {
    const now = { wall: clock.now(), monotonic: clock.monotonic() }
    const passed = now.monotonic - lookedAt.monotonic
    // The monotonic clock stands still in sleep, but not while only the process is stopped: then the tick is late.
    const awake = passed > tickMs + jumpMs ? tickMs : passed
    const slept = now.wall - lookedAt.wall - awake
    lookedAt = now
    if (Math.abs(slept) >= jumpMs) move(slept)
  }
  return {
    account,
    seen({ paused }) {
      const now = clock.monotonic()
      if (pausedAt !== null) move(Math.min(now - pausedAt, longestPauseMs))
      pausedAt = paused ? now : null
    },
    leftMs: () => (account(), deadline - clock.now()),
  }
}

async function watchDeadline(
  { clock, deadline: atFirst, timeoutMs, isAtWork }: LimitFacts,
  deadline: MovingDeadline,
  signal: AbortSignal,
  reached: (f: RunFailure) => void,
): Promise<void> {
  if (atFirst === null) return
  for (;;) {
    for (let left = deadline.leftMs(); left > 0; left = deadline.leftMs()) {
      await clock.sleep(Math.min(left, tickMs), signal)
      if (signal.aborted) return
    }
    const isWorking = await isAtWork()
    if (signal.aborted || isWorking === false) return
    // What happened while the engine of containers was asked counts too.
    if (isWorking === true && deadline.leftMs() <= 0) break
    await clock.sleep(tickMs, signal)
    if (signal.aborted) return
  }
  reached(failure('timed_out', `The time limit of ${formatDuration(timeoutMs)} was reached.`))
}

async function watchDisk(
  facts: LimitFacts,
  signal: AbortSignal,
  reached: (f: RunFailure) => Promise<void>,
): Promise<void> {
  const { clock, disk, folders, maxBytes, reserveBytes, dataFolder } = facts
  while (!signal.aborted) {
    await clock.sleep(lookEveryMs, signal)
    if (signal.aborted) return
    const free = await disk.freeBytes(dataFolder)
    if (free !== null && free < reserveBytes) {
      return reached(
        failure(
          'disk_limit',
          `The disk is nearly full: ${formatBytes(free)} are left, ${formatBytes(reserveBytes)} are kept free.`,
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
