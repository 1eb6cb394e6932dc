import { expect, it } from 'vitest'
import { createSettableClock } from '../../../test/fakes/settable-clock'
import { silentLogger } from '../../../test/integration/support/silent-logger'
import { runSearchIndexer } from './search-indexer'

it('takes up events in small steps, looks again later, and outlives a failure', async () => {
  const clock = createSettableClock(0)
  const left = [50, 50, 7, 'disk I/O error', 0]
  const waits: number[] = []
  const closing = new AbortController()
  const transcripts = {
    indexNext: () => {
      const taken = left.shift()
      if (typeof taken === 'string') throw new Error(taken)
      return taken ?? 0
    },
    find: () => ({ events: [], total: 0, isTotalCut: false }),
  }
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms)
    if (left.length === 0) closing.abort()
    return Promise.resolve()
  }
  await runSearchIndexer({ transcripts, clock: { ...clock, sleep }, logger: silentLogger }, closing.signal)
  expect(waits).toEqual([20, 20, 2_000, 60_000, 2_000])
})
