import { expect, it } from 'vitest'
import { createSettableClock } from '../../../test/fakes/settable-clock'
import { silentLogger } from '../../../test/integration/support/silent-logger'
import { runEventUnpacker } from './event-unpacker'

/** How long it waits after each look; a number is the newest pack then, a text what goes wrong. */
async function waitsAfter(...looks: readonly (number | string)[]) {
  const left = [...looks]
  const waits: number[] = []
  let unpacked = 0
  const closing = new AbortController()
  const events = {
    latestPacked: () => {
      const look = left.shift() ?? 0
      if (typeof look === 'string') throw new Error(look)
      return look
    },
    unpackSome: () => {
      unpacked += 1
      return true
    },
  }
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms)
    if (left.length === 0) closing.abort()
    return Promise.resolve()
  }
  const clock = { ...createSettableClock(0), sleep }
  await runEventUnpacker({ events, clock, logger: silentLogger }, closing.signal)
  return { waits, unpacked }
}

it('unpacks one after the other once nothing more is packed, and outlives a failure', async () => {
  const { waits, unpacked } = await waitsAfter(0, 3, 9, 9, 9, 'disk I/O error', 9, 0)
  expect(waits).toEqual([5_000, 5_000, 5_000, 20, 20, 60_000, 20, 5_000])
  expect(unpacked).toBe(3)
})

it('gives way to a stream for a minute, not for ever', async () => {
  const growing = Array.from({ length: 14 }, (_, look) => look + 1)
  const { waits, unpacked } = await waitsAfter(...growing)
  expect(waits).toEqual([...Array.from({ length: 12 }, () => 5_000), 20, 20])
  expect(unpacked).toBe(2)
})

it('goes on beside a stream that packs less often than it looks, until nothing is packed', async () => {
  const growing = Array.from({ length: 13 }, (_, look) => look + 1)
  const { waits, unpacked } = await waitsAfter(...growing, 13, 14, 14, 15, 0, 16)
  expect(waits.slice(12)).toEqual([20, 20, 20, 20, 20, 5_000, 5_000])
  expect(unpacked).toBe(5)
})
