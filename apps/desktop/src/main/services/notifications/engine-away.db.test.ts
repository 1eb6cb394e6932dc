import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTimelineReader } from '../../adapters/db/timeline-reader'
import { toldDesktop } from '../../../../test/fakes/notification-rules'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock, type SettableClock } from '../../../../test/fakes/settable-clock'
import { silentLogger } from '../../../../test/integration/support/silent-logger'
import type { NotificationMessage } from '../../ports/notifications'
import { takeStep } from '../runs/run-step'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { createNotificationService } from './notification-service'
import { startNotificationWatch, type NotificationWatch } from './notification-watch'

let opened: TestStore
let clock: SettableClock
let shown: NotificationMessage[]
let watch: NotificationWatch
beforeEach(() => {
  opened = openTestStore()
  const { store } = opened
  clock = createSettableClock(100)
  shown = []
  const changes = createChangeFeed(clock)
  const notifier = { show: (message: NotificationMessage) => void shown.push(message) }
  const notifications = createNotificationService({
    ...toldDesktop(),
    store: store.notifications,
    notifier,
    clock,
    logger: silentLogger,
    changes,
  })
  watch = startNotificationWatch({
    store,
    timeline: createTimelineReader(opened.db),
    clock,
    logger: silentLogger,
    settings: createSettingReader(store),
    changes,
    notifications,
  })
})
afterEach(() => {
  watch.close()
  opened.remove()
})

/** A run whose agent works. */
function liveRun(iid: number) {
  const { store } = opened
  const { id } = seedRun(store, seedMailbox(store, iid))
  takeStep(store, id, { type: 'begin', now: 100 }, 100)
  takeStep(store, id, { type: 'prepared', deadline: 9_000_000 }, 100)
  return {
    cutOff() {
      takeStep(
        store,
        id,
        {
          type: 'interrupted',
          canGoOn: true,
          isCollected: false,
          nextAttemptAt: 200,
          workedUntil: 150,
          failure: { type: 'interrupted', message: 'gone' },
        },
        150,
      )
      watch.runSettled(store.runs.get(id))
    },
  }
}

async function pass(ms: number): Promise<void> {
  clock.advance(ms)
  await new Promise(setImmediate)
}

describe('a person is told that Docker keeps runs from going on', () => {
  it('once for all of them, while it is away', async () => {
    const runs = [liveRun(1), liveRun(2)]
    watch.engineSeen(true)
    watch.engineSeen(true)
    await pass(10_000)
    expect(shown).toMatchObject([
      {
        title: '2 runs interrupted',
        body: 'Docker stopped answering. They go on by themselves when it is back.',
      },
    ])
    watch.engineSeen(false)
    for (const run of runs) run.cutOff()
    expect(shown).toHaveLength(1)
  })

  it('not when it is back after a moment, or nothing runs', async () => {
    watch.engineSeen(true)
    await pass(60_000)
    watch.engineSeen(false)
    liveRun(1)
    watch.engineSeen(true)
    await pass(5_000)
    watch.engineSeen(false)
    await pass(60_000)
    expect(shown).toEqual([])
  })

  it('but of a run that was cut off otherwise, what is true of it', () => {
    liveRun(1).cutOff()
    expect(shown).toMatchObject([
      {
        kind: 'interrupted',
        body: 'Its container was ended from outside. It goes on by itself.',
      },
    ])
  })
})
