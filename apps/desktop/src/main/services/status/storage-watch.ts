import type { Clock } from '../../ports/clock'
import type { Disk } from '../../ports/disk'
import { storageFailureOf, type StorageFailureType } from '../../ports/storage-failure'

/*
 * Whether the data folder can be written, and how much room is left there. Told by whoever meets a failure; tried
 * again here, so that what waits for it goes on by itself.
 */

export interface StorageTrouble {
  readonly type: StorageFailureType
  /** Epoch ms. */
  readonly since: number
}

export interface StorageWatch {
  /** Bytes; null until it was measured, and where it cannot be. */
  freeBytes(): number | null
  /** What was met and has not passed; null: the data folder can be written. */
  trouble(): StorageTrouble | null
  /** Whether it is room that is missing. */
  isFull(): boolean
  /** Whether a run may begin: no trouble, and the reserve of the disk is not touched. */
  hasRoom(): boolean
  /** Somebody met this; anything that is no failure of storage is left alone. */
  met(error: unknown): void
  /** Until the data folder can be written again, or the signal aborts; a damaged database is never waited out. */
  untilUsable(signal: AbortSignal): Promise<void>
  run(signal: AbortSignal): Promise<void>
}

interface Parts {
  readonly disk: Pick<Disk, 'freeBytes'>
  readonly clock: Clock
  readonly folder: string
  /** What is kept free on the disk; below it nothing new begins. */
  readonly reserveBytes: number
  /** Writes something small; throws what it meets. */
  readonly tryWrite: () => void
  readonly onChange: () => void
}

const measureEveryMs = 30_000
/** A disk that was full is tried again when this much more is free: a small write says nothing about a large one. */
const roomMadeBytes = 1_000_000
/** Or after this time, since what was written may have lain on another disk, or needs less by now. */
const tryAnywayMs = 30_000
/** While something is wrong: people free space and look whether it helped. */
const tryEveryMs = 2_000

export function createStorageWatch(parts: Parts): StorageWatch {
  const { disk, clock, folder, reserveBytes, tryWrite, onChange } = parts
  let free: number | null = null
  let trouble: StorageTrouble | null = null
  let atFailure: { readonly free: number | null; readonly monotonic: number } | null = null
  let wake = new AbortController()
  let recovered = new AbortController()

  const isLow = (): boolean => free !== null && free < reserveBytes
  const hasRoom = (): boolean => trouble === null && !isLow()

  const met = (error: unknown): void => {
    const type = storageFailureOf(error)
    // Damage does not pass, whatever else is met after it.
    if (type === null || trouble?.type === type || trouble?.type === 'database_damaged') return
    trouble = { type, since: trouble?.since ?? clock.now() }
    wake.abort()
    onChange()
  }

  const mayHavePassed = ({ type }: StorageTrouble): boolean => {
    if (type === 'database_damaged') return false
    if (type !== 'disk_full') return true
    atFailure ??= { free, monotonic: clock.monotonic() }
    if (clock.monotonic() - atFailure.monotonic >= tryAnywayMs) return true
    return free === null || atFailure.free === null || free >= atFailure.free + roomMadeBytes
  }

  const look = async (): Promise<void> => {
    const before = JSON.stringify([free, trouble])
    free = await disk.freeBytes(folder)
    if (trouble !== null && mayHavePassed(trouble) && canWrite(tryWrite)) {
      trouble = null
      atFailure = null
      recovered.abort()
      recovered = new AbortController()
    }
    if (JSON.stringify([free, trouble]) !== before) onChange()
  }

  return {
    freeBytes: () => free,
    trouble: () => trouble,
    isFull: () => (trouble === null ? isLow() : trouble.type === 'disk_full'),
    hasRoom,
    met,
    async untilUsable(signal) {
      while (trouble !== null && !signal.aborted)
        await clock.sleep(measureEveryMs, AbortSignal.any([signal, recovered.signal]))
    },
    async run(signal) {
      while (!signal.aborted) {
        wake = new AbortController()
        await look()
        await clock.sleep(
          hasRoom() ? measureEveryMs : tryEveryMs,
          AbortSignal.any(hasRoom() ? [signal, wake.signal] : [signal]),
        )
      }
    },
  }
}

function canWrite(tryWrite: () => void): boolean {
  try {
    tryWrite()
    return true
  } catch {
    return false
  }
}
