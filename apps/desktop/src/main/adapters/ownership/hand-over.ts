import { setTimeout as wait } from 'node:timers/promises'
import { err, ok, type Result } from '@shared/result'
import type { DatabaseFailure } from '../db/database-errors'
import { acquireOwnership, type OwnedError, type Ownership, type OwnershipOptions } from './acquire-ownership'
import { connectToOwner } from './connect-to-owner'
import { readOwnerRecord } from './owner-record'

/** The owner did not hand over in time. pid and command are for the person, null where they are not known. */
export interface HandOverTimedOutError {
  readonly type: 'hand_over_timed_out'
  readonly message: string
  readonly pid: number | null
  readonly command: string | null
}

/** The owner is a window itself: show that one. */
export interface HandOverRefusedError {
  readonly type: 'hand_over_refused'
  readonly message: string
}

export interface HandOverPlace {
  readonly dataFolder: string
  readonly socketPath: string
}

const defaultTimeoutMs = 10_000
/** How often a lock that is about to be freed is tried. */
const retryMs = 25

/** Asks the owner to hand over, and waits until it said that it did, or went away. The lock alone proves it. */
export async function requestHandOver(
  place: HandOverPlace,
  timeoutMs = defaultTimeoutMs,
): Promise<Result<void, HandOverTimedOutError | HandOverRefusedError>> {
  const connected = await connectToOwner(place.socketPath, timeoutMs)
  if (!connected.ok) return ok(undefined)
  const timeOver = new AbortController()
  const answer = await Promise.race([
    new Promise<'done' | 'refused'>((resolve) => {
      connected.value.askHandOver((said) => {
        if (said !== 'accepted') resolve(said === 'refused' ? 'refused' : 'done')
      })
    }),
    wait(timeoutMs, 'timed_out' as const, { signal: timeOver.signal }),
  ])
  timeOver.abort()
  await connected.value.close()
  if (answer === 'done') return ok(undefined)
  if (answer === 'timed_out') return err(timedOut(place.dataFolder))
  return err({ type: 'hand_over_refused', message: 'the data is in use by a window' })
}

/** Becomes the owner; a headless owner is asked to hand over first, within `timeoutMs` altogether. */
export async function takeOwnership(
  place: HandOverPlace,
  options: OwnershipOptions,
  timeoutMs = defaultTimeoutMs,
): Promise<Result<Ownership, OwnedError | DatabaseFailure | HandOverTimedOutError>> {
  const start = performance.now()
  const remaining = (): number => Math.max(0, timeoutMs - (performance.now() - start))
  let acquired = acquireOwnership(place.dataFolder, options)
  if (acquired.ok || acquired.error.type !== 'owned') return acquired

  const handedOver = await requestHandOver(place, remaining())
  if (!handedOver.ok) return handedOver.error.type === 'hand_over_refused' ? acquired : err(handedOver.error)
  for (;;) {
    acquired = acquireOwnership(place.dataFolder, options)
    if (acquired.ok || acquired.error.type !== 'owned') return acquired
    if (remaining() === 0) return err(timedOut(place.dataFolder))
    await wait(Math.min(retryMs, remaining()))
  }
}

function timedOut(dataFolder: string): HandOverTimedOutError {
  const owner = readOwnerRecord(dataFolder)
  const who = owner === null ? 'the owner' : `process ${owner.pid} (${owner.command})`
  return {
    type: 'hand_over_timed_out',
    message: `${who} did not hand over ${dataFolder}`,
    pid: owner?.pid ?? null,
    command: owner?.command ?? null,
  }
}
