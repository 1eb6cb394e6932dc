import { expect, it } from 'vitest'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { sleepAwake } from './sleep-awake'

it('a night does not count as time in which somebody could work', async () => {
  const clock = createSettableClock()
  let isOver = false
  void sleepAwake(clock, 60_000, new AbortController().signal).then(() => (isOver = true))
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await new Promise(setImmediate)
  }
  await pass(8 * 3_600_000)
  for (let n = 0; n < 10; n += 1) await pass(5_000)
  expect(isOver).toBe(false)
  await pass(5_000)
  expect(isOver).toBe(true)
})
