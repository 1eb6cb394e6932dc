import { describe, expect, it } from 'vitest'
import { createQuitFlow, type QuitFlow } from './quit-flow'

function setUp(live: number): { readonly flow: QuitFlow; readonly seen: string[] } {
  const seen: string[] = []
  const flow = createQuitFlow({
    countLive: async () => live,
    ask: () => seen.push('ask'),
    quitNow: (containers) => seen.push(`quit, ${containers}`),
  })
  return { flow, seen }
}

describe('quitting', () => {
  it('needs no question when nothing runs', async () => {
    const { flow, seen } = setUp(0)
    await flow.request()
    expect(seen).toEqual(['quit, keep'])
  })

  it('asks when runs are live, and leaves them alone when told to', async () => {
    const { flow, seen } = setUp(2)
    await flow.request()
    flow.answer('keep_running')
    expect(seen).toEqual(['ask', 'quit, keep'])
  })

  it('stops the runs before it quits when told to', async () => {
    const { flow, seen } = setUp(2)
    await flow.request()
    flow.answer('stop')
    expect(seen).toEqual(['ask', 'quit, stop'])
  })

  it('goes on as if nothing was after a cancel', async () => {
    const { flow, seen } = setUp(1)
    await flow.request()
    flow.answer('cancel')
    flow.answer('stop')
    expect(seen).toEqual(['ask'])
  })

  it('takes no answer to a question that was not asked', () => {
    const { flow, seen } = setUp(1)
    flow.answer('stop')
    expect(seen).toEqual([])
  })
})
