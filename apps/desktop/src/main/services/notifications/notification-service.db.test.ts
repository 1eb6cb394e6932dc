import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SettingValues } from '@shared/model/settings'
import { createKeptLogger } from '../../../../test/fakes/kept-logger'
import { toldDesktop } from '../../../../test/fakes/notification-rules'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { unhandledDuring } from '../../../../test/fakes/unhandled-rejections'
import type { NotificationKind, NotificationMessage } from '../../ports/notifications'
import { createChangeFeed } from '../status/change-feed'
import { createNotificationService } from './notification-service'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

/** Ten in the evening of some day, by this computer's clock. */
const evening = new Date('2026-03-10T22:00:00').getTime()
const hour = 3_600_000

function setUp({ startAt = 0, values = {}, hasService = true }: Setup = {}) {
  const clock = createSettableClock(startAt)
  const logger = createKeptLogger()
  const shown: NotificationMessage[] = []
  const rules: { -readonly [K in keyof SettingValues]?: SettingValues[K] } = { ...values }
  const desktop = { hasService }
  const changes = createChangeFeed(clock)
  const service = createNotificationService({
    store: opened.store.notifications,
    notifier: { show: (m) => void shown.push(m) },
    rules: () => toldDesktop(rules).rules(),
    desktop: { showsNotifications: () => Promise.resolve(desktop.hasService) },
    clock,
    logger,
    changes,
  })
  const tell = (title: string, kind: NotificationKind = 'run-finished'): void =>
    service.tell({ kind, title, body: '' }, { mailboxId: null, runId: null })
  /** Lets what a timer woke come to its end. */
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await Promise.resolve()
  }
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms)
    await settle()
  }
  const titles = (): readonly string[] => shown.map(({ title }) => title)
  return { clock, logger, shown, tell, settle, service, rules, desktop, changes, pass, titles }
}

interface Setup {
  readonly startAt?: number
  readonly values?: Partial<SettingValues>
  readonly hasService?: boolean
}

describe('notifications', () => {
  it('are shown one by one up to three a minute; more become one', async () => {
    const { clock, shown, tell, settle } = setUp()
    for (const title of ['1', '2', '3', '4', '5']) tell(title)
    expect(shown.map(({ title }) => title)).toEqual(['1', '2', '3'])
    clock.advance(60_000)
    await settle()
    expect(shown.at(-1)).toMatchObject({
      kind: 'grouped',
      title: '2 runs ended while you were away',
      body: '2 done.',
    })
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

  it('are shown again after what was held back could not be read', async () => {
    const { logger, tell, pass, titles } = setUp()
    for (const title of ['1', '2', '3', '4']) tell(title)
    vi.spyOn(opened.store.notifications, 'list').mockImplementationOnce(() => {
      throw new Error('busy')
    })
    await pass(60_000)
    expect(logger.errors).toEqual([expect.stringContaining('busy')])
    tell('5')
    expect(titles()).toEqual(['1', '2', '3', '5'])
  })

  it('are shown as they are where only one was held back', async () => {
    const { tell, pass, titles } = setUp()
    for (const title of ['1', '2', '3', '4']) tell(title)
    await pass(60_000)
    expect(titles()).toEqual(['1', '2', '3', '4'])
    expect(opened.store.notifications.list(10)).toHaveLength(4)
  })

  it('of a kind that is switched off wait in the notification centre alone', async () => {
    const { tell, pass, titles } = setUp({ values: { NOTIFY_RUN_FINISHED: false } })
    for (const title of ['1', '2', '3', '4']) tell(title)
    tell('5', 'blocked')
    await pass(60_000)
    expect(titles()).toEqual(['5'])
    expect(opened.store.notifications.list(10)).toHaveLength(5)
  })
})

describe('in quiet hours', () => {
  const quiet: Setup = { startAt: evening, values: { QUIET_HOURS: '22:00-07:00' } }

  it('nothing is shown, and what was not read by their end is told as one', async () => {
    const { service, tell, pass, titles, shown } = setUp(quiet)
    expect(service.silence()).toEqual({ reason: 'quiet_hours', until: evening + 9 * hour })
    tell('1')
    tell('2', 'run-finished-fallback')
    await pass(hour)
    tell('3', 'blocked')
    for (let n = 0; n < 7; n += 1) await pass(hour)
    expect(titles()).toEqual([])
    await pass(hour)
    expect(titles()).toEqual(['3 runs ended while you were away'])
    expect(shown[0]?.body).toBe('2 done · 1 blocked. One of them lost its memory.')
    expect(service.silence()).toBeNull()
    tell('4')
    expect(titles()).toHaveLength(2)
  })

  it('what was read meanwhile is not told again', async () => {
    const { clock, tell, pass, titles } = setUp(quiet)
    tell('1')
    opened.store.notifications.markAllRead(clock.now())
    await pass(9 * hour)
    expect(titles()).toEqual([])
  })

  it('an engine that begins in them tells what the one before held back', async () => {
    const first = setUp(quiet)
    first.tell('1')
    first.service.close()
    const second = setUp({ ...quiet, startAt: evening + hour })
    second.service.begin()
    await second.pass(8 * hour)
    expect(second.titles()).toEqual(['1'])
  })

  it('a change of them counts at once', async () => {
    const { tell, pass, titles, rules, changes } = setUp(quiet)
    tell('1')
    await pass(50)
    changes.publish({ type: 'settings' })
    await pass(50)
    expect(titles()).toEqual([])
    rules.QUIET_HOURS = null
    changes.publish({ type: 'settings' })
    await pass(50)
    expect(titles()).toEqual(['1'])
  })
})

describe('a desktop without a notification service', () => {
  it('is said, as long as that is so', async () => {
    const { service, desktop, settle, tell } = setUp({ hasService: false })
    service.begin()
    await settle()
    expect(service.silence()).toEqual({ reason: 'no_service' })
    desktop.hasService = true
    tell('1')
    await settle()
    expect(service.silence()).toBeNull()
  })
})
