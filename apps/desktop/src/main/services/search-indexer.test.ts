import { expect, it } from 'vitest'
import { createSettableClock } from '../../../test/fakes/settable-clock'
import { silentLogger } from '../../../test/integration/support/silent-logger'
import { runSearchIndexer } from './search-indexer'

/** How long the indexer waits after each step; an answer is what the step took, and how far the index is behind then. */
async function waitsAfter(...answers: (readonly [number, number] | string)[]): Promise<readonly number[]> {
  const clock = createSettableClock(0)
  const left = [...answers]
  let behind = 0
  const waits: number[] = []
  const closing = new AbortController()
  const transcripts = {
    indexNext: () => {
      const answer = left.shift() ?? [0, 0]
      if (typeof answer === 'string') throw new Error(answer)
      behind = answer[1]
      return answer[0]
    },
    behind: () => behind,
    find: () => ({ events: [], total: 0, isTotalCut: false }),
  }
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms)
    if (left.length === 0) closing.abort()
    return Promise.resolve()
  }
  await runSearchIndexer({ transcripts, clock: { ...clock, sleep }, logger: silentLogger }, closing.signal)
  return waits
}

it('takes up events in small steps, looks again later, and outlives a failure', async () => {
  const waits = await waitsAfter([50, 0], [50, 0], [7, 0], 'disk I/O error', [0, 0])
  expect(waits).toEqual([20, 20, 2_000, 60_000, 2_000])
})

it('gives way to a stream as long as that is faster, and makes up for it then', async () => {
  const waits = await waitsAfter([50, 900], [50, 1_800], [50, 1_750], [50, 1_700], [50, 1_900], [3, 0])
  expect(waits).toEqual([500, 500, 20, 20, 500, 2_000])
})
