import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createSettingReader } from '../settings/setting-values'
import { queueWait } from './queue-wait'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

it('says first what holds all runs, then what holds this one, and a slot only where nothing else does', () => {
  const { store } = opened
  const run = seedRun(store, seedMailbox(store))
  const clock = createSettableClock(100)
  const wait = (waiting: 'paused' | 'docker' | null, more = {}) =>
    queueWait(
      { store, settings: createSettingReader(store), clock, waiting: () => waiting },
      { ...run, ...more },
    )
  expect(wait(null)).toEqual({ reason: 'slot', at: null })
  seedSession(store, seedRun(store, seedMailbox(store, 2)), { costUsd: 5 })
  store.settings.set('app', 0, 'DAY_BUDGET_USD', 4, 1)
  expect(wait(null)).toEqual({ reason: 'budget', at: null })
  expect(wait(null, { nextAttemptAt: 200 })).toEqual({ reason: 'retry_at', at: 200 })
  expect(wait(null, { nextAttemptAt: 100 })).toEqual({ reason: 'budget', at: null })
  expect(wait('paused', { nextAttemptAt: 200 })).toEqual({ reason: 'paused', at: null })
  expect(wait('docker')).toEqual({ reason: 'docker', at: null })
  expect(wait('docker', { runner: 'host' })).toEqual({ reason: 'budget', at: null })
})
