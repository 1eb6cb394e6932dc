import { describe, expect, it } from 'vitest'
import type { ChangeEvent } from '@shared/contract/app'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createChangeFeed } from './change-feed'

const settle = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await Promise.resolve()
}
const run = (runId: number): ChangeEvent => ({ type: 'run', runId: runId as never, mailboxId: 1 as never })

describe('the feed of changes', () => {
  it('tells equal changes once per batch, twenty batches a second', async () => {
    const clock = createSettableClock()
    const changes = createChangeFeed(clock)
    const batches: (readonly ChangeEvent[])[] = []
    changes.subscribe((events) => batches.push(events))
    for (const id of [1, 2, 1, 1]) changes.publish(run(id))
    expect(batches).toEqual([])
    clock.advance(50)
    await settle()
    expect(batches).toEqual([[run(1), run(2)]])
    changes.publish(run(1))
    clock.advance(50)
    await settle()
    expect(batches).toHaveLength(2)
  })

  it('tells nothing to who has left, and nothing after its end', async () => {
    const clock = createSettableClock()
    const changes = createChangeFeed(clock)
    let told = 0
    const leave = changes.subscribe(() => (told += 1))
    leave()
    changes.publish(run(1))
    changes.subscribe(() => (told += 1))
    changes.publish(run(1))
    changes.close()
    clock.advance(50)
    await settle()
    expect(told).toBe(0)
  })
})
