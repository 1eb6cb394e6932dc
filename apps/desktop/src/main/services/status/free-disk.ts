import type { Clock } from '../../ports/clock'
import type { Disk } from '../../ports/disk'

const everyMs = 30_000

/** How much room is left where the data lies. */
export interface FreeDisk {
  /** In bytes; null until it was measured, and where it cannot be. */
  readonly current: () => number | null
  /** Measures until the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export function createFreeDisk(deps: {
  readonly disk: Disk
  readonly clock: Clock
  readonly folder: string
  readonly onMeasured: () => void
}): FreeDisk {
  let bytes: number | null = null
  return {
    current: () => bytes,
    async run(signal) {
      while (!signal.aborted) {
        bytes = await deps.disk.freeBytes(deps.folder)
        deps.onMeasured()
        await deps.clock.sleep(everyMs, signal)
      }
    },
  }
}
