import type { Clock } from '../../ports/clock'
import { storageFailureOf } from '../../ports/storage-failure'
import type { StorageWatch } from '../status/storage-watch'

/** Between two tries, also where the first look says that it works again. */
const pauseMs = 1_000

interface Parts {
  readonly storage: Pick<StorageWatch, 'met' | 'untilUsable'>
  readonly clock: Clock
}

/**
 * Does the work; when the disk or the database does not take it, waits until they do and begins it anew, as the next
 * engine would after a crash. Rejects with anything else. Settles without having done it when the signal aborts.
 */
export async function untilStored(
  { storage, clock }: Parts,
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (storageFailureOf(error) === null) throw error
      storage.met(error)
      await clock.sleep(pauseMs, signal)
      await storage.untilUsable(signal)
    }
  }
}
