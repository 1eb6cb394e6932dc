import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createKeptLogger } from '../../../../test/fakes/kept-logger'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { unhandledDuring } from '../../../../test/fakes/unhandled-rejections'
import type { NotificationMessage } from '../../ports/notifications'
import { createChangeFeed } from '../status/change-feed'
import { createNotificationService } from './notification-service'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

function setUp() {
  const clock = createSettableClock(0)
  const logger = createKeptLogger()
  const shown: NotificationMessage[] = []
  const service = createNotificationService({
    store: opened.store.notifications,
    notifier: { show: (m) => void shown.push(m) },
    clock,
    logger,
    changes: createChangeFeed(clock),
  })
  const tell = (title: string): void =>
    service.tell({ kind: 'run-finished', title, body: '' }, { mailboxId: null, runId: null })
  /** Lets what a timer woke come to its end. */
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await Promise.resolve()
  }
  return { clock, logger, shown, tell, settle, service }
}

describe('notifications', () => {
  it('are shown one by one up to three a minute; more become one', async () => {
    const { clock, shown, tell, settle } = setUp()
    for (const title of ['1', '2', '3', '4', '5']) tell(title)
    expect(shown.map(({ title }) => title)).toEqual(['1', '2', '3'])
    clock.advance(60_000)
    await settle()
    expect(shown.at(-1)).toMatchObject({ kind: 'grouped', body: '2 done.' })
    expect(opened.store.notifications.list(10)).toHaveLength(6)
  })

  it('are shown one by one again after a quiet minute', async () => {
    const { clock, shown, tell, settle } = setUp()
    for (const title of ['1', '2', '3']) tell(title)
    clock.advance(60_000)
    await settle()
    tell('4')
    expect(shown.map(({ title }) => title)).toEqual(['1', '2', '3', '4'])
  })

  it('are shown one by one again after a minute, also when the clock was set back', async () => {
    const { clock, shown, tell } = setUp()
    for (const title of ['1', '2', '3']) tell(title)
    clock.jump(-3_600_000)
    clock.advance(60_000)
    tell('4')
    expect(shown.map(({ title }) => title)).toEqual(['1', '2', '3', '4'])
  })

  it('show nothing after the engine was closed, and are kept all the same', async () => {
    const { clock, shown, tell, settle, service } = setUp()
    for (const title of ['1', '2', '3', '4']) tell(title)
    service.close()
    clock.advance(60_000)
    await settle()
    expect(shown).toHaveLength(3)
    expect(opened.store.notifications.list(10)).toHaveLength(4)
  })

  it('that cannot be stored when their minute is over end nothing', async () => {
    const { clock, logger, tell, settle } = setUp()
    const unhandled = await unhandledDuring(async () => {
      for (const title of ['1', '2', '3', '4']) tell(title)
      opened.db.close()
      clock.advance(60_000)
      await settle()
    })
    expect(unhandled).toEqual([])
    expect(logger.errors).toEqual([expect.stringContaining('The database connection is not open')])
  })
})
