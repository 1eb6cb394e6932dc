import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSleepCheck } from './check-after-sleep'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

it('counts the runs that are under way until the engine of containers has answered', async () => {
  const { store } = opened
  const working = seedRun(store, seedMailbox(store, 1))
  store.runs.update(working.id, { state: 'running' })
  seedRun(store, seedMailbox(store, 2))
  const told: number[] = []
  let asked = 0
  let answer = (): void => undefined
  const check = createSleepCheck({
    store,
    runtime: createFakeContainerRuntime({}),
    logger: { info: () => undefined },
    askEngine: () => {
      asked += 1
      return new Promise<void>((resolve) => {
        answer = resolve
      })
    },
    onChange: () => void told.push(check.checking()),
  })
  const first = check.run()
  const again = check.run()
  expect(check.checking()).toBe(1)
  answer()
  await Promise.all([first, again])
  expect(told).toEqual([1, 0])
  expect(asked).toBe(1)
})
