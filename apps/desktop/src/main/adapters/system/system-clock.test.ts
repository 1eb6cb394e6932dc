import { expect, it } from 'vitest'
import { createSystemClock } from './system-clock'
import { createSystemRandomness } from './system-randomness'

const clock = createSystemClock()

it('ends a sleep at once when its signal aborts', async () => {
  const controller = new AbortController()
  const sleeping = clock.sleep(60 * 60_000, controller.signal)
  controller.abort()
  await expect(sleeping).resolves.toBeUndefined()
})

it('does not sleep at all under an aborted signal', async () => {
  await expect(clock.sleep(60 * 60_000, AbortSignal.abort())).resolves.toBeUndefined()
})

it('makes random and time-ordered uuids in lower case', () => {
  const { uuidV4, uuidV7 } = createSystemRandomness()
  expect(uuidV4()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const made = Array.from({ length: 50 }, uuidV7)
  expect(made[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(made).toEqual(made.toSorted())
})
