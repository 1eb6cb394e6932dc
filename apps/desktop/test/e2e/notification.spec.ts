import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openEngineDatabase } from '../integration/support/engine-database'
import { expect, test } from './fixtures'
import { demoFault, giveIssueToAlfred, startEndlessRun } from './pages/engine'
import type { AlfredWindow } from './pages/alfred-window'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import { SettingsPage } from './pages/settings-page'
import { keepScreen } from './screens'
import type { SessionBus, ShownNotification, TrayItem } from './session-bus'

const runPatience = { timeout: 40_000 }

test('the end of a run that remembered is told, and a click opens exactly that run', async ({
  bus,
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(2)
  await alfred.part('retry-run').click()
  await expect(home.sessions).toHaveCount(3)
  const runId = await home.sessionAt(2).runId()
  // somewhere else, so that the click has something to do
  await home.openMailbox('#2')

  const shown = await notification(bus, 'Development done · #1')
  expect(shown.body).toMatch(/^Remembered: resumed from \d+ B, .+ old\. /)
  expect(shown.body).toMatch(/\d+s · \$0\.00$/)
  bus.clickNotification(shown.id)

  const run = new RunPage(alfred)
  await expect(run.id).toHaveAttribute('data-value', String(runId))
  await expect(run.badge).toHaveAttribute('data-value', 'resumed')
})

test('a run without its memory says so, and a click leads to where it was lost', async ({
  bus,
  demoHome,
  start,
}) => {
  forget(demoHome, 2)
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await home.openMailbox('#2')
  await expect(home.sessions).toHaveCount(2)
  await alfred.part('retry-run').click()
  const shown = await notification(bus, 'Development done without memory · #2')
  expect(shown.body).toMatch(/^Its state file was gone, so it started fresh\. The work is complete/)
  const runId = await home.sessionAt(2).runId()
  await alfred.page.keyboard.press('Control+,')
  await expect(alfred.part('settings-screen')).toBeVisible()
  bus.clickNotification(shown.id)
  await expect(home.session(runId)).toBeVisible()
  await expect(alfred.part('action-dock')).toContainText(`Run ${runId}`)
})

test('a plan that waits for a person is told, with words of the issue that are no markup', async ({
  bus,
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  await keepBadges(alfred)
  await giveIssueToAlfred(alfred, 'Fold <b>bold</b> & plain')
  const analysed = await notification(bus, 'Analysis done · #3')
  expect(analysed.body).toMatch(/^First session of this issue\. /)
  const waits = await notification(bus, 'The plan waits for you · #3')
  expect(waits.body).toBe('Fold &lt;b&gt;bold&lt;/b&gt; &amp; plain')
  await expect.poll(() => lastBadge(alfred)).toBe(1)
  bus.clickNotification(waits.id)
  await expect(new HomePage(alfred).title).toHaveText('Fold <b>bold</b> & plain')
})

test('a run that failed blocks its issue, and that is told', async ({ bus, demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  await giveIssueToAlfred(alfred, 'Something that fails', demoFault('crash'))
  const shown = await notification(bus, 'Blocked · #3')
  expect(shown.body).toBe('Analysis failed. The work is kept in the workspace.')
  bus.clickNotification(shown.id)
  await expect(new RunPage(alfred).state).toHaveAttribute('data-value', 'failed')
})

test('a budget of the day that is nearly used is told once, and a click leads to where it is set', async ({
  bus,
  demoHome,
  start,
}) => {
  spend(demoHome, 0.9)
  const alfred = await start({ home: demoHome })
  await alfred.ask('settings.set', { scope: 'app', scopeId: 0, key: 'DAY_BUDGET_USD', value: 1 })
  await expect(alfred.part('status-cost-today')).toHaveText('Today $0.90 of $1.00')
  await new HomePage(alfred).openMailbox('#1')
  await alfred.part('retry-run').click()
  const shown = await notification(bus, "90 % of today's $1.00 is used")
  expect(shown.body).toContain('At 100 % new runs wait for you.')
  bus.clickNotification(shown.id)
  const budget = new SettingsPage(alfred).row('DAY_BUDGET_USD')
  await expect(budget).toBeInViewport()
  // The same from the notification centre, whatever else the settings show meanwhile.
  await alfred.part('section-appearance').click()
  await expect(budget).toHaveCount(0)
  await alfred.page.keyboard.press('Alt+ArrowLeft')
  await alfred.part('open-notifications').click()
  await alfred.part('notification').filter({ hasText: "90 % of today's $1.00 is used" }).click()
  await expect(budget).toBeInViewport()
})

/** A run of today is known to have cost this much. */
function spend(home: string, usd: number): void {
  const db = openEngineDatabase(home)
  try {
    db.prepare('INSERT INTO spendings (session_id, at, cost_usd) SELECT max(id), ?, ? FROM llm_sessions').run(
      Date.now(),
      usd,
    )
  } finally {
    db.close()
  }
}

test('nothing is shown for the run that a person looks at; it waits in the notification centre', async ({
  bus,
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  await alfred.part('retry-run').click()
  await expect(home.sessions).toHaveCount(3)
  await home.openRun(await home.sessionAt(2).runId())
  await expect(new RunPage(alfred).state).toHaveAttribute('data-value', 'succeeded', runPatience)
  await alfred.part('open-notifications').click()
  const told = alfred.part('notification').filter({ hasText: 'Development done · #1' })
  await expect(told.and(alfred.page.locator('[data-kind="run-finished"]'))).toHaveCount(2)
  expect(bus.shown.map(({ summary }) => summary)).not.toContain('Development done · #1')
})

test('in quiet hours nothing is shown, then all of it as one; what is switched off only waits', async ({
  bus,
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  await alfred.ask('app.markNotificationsRead', {})
  await setting(alfred, 'QUIET_HOURS', allDayLong)
  await expect(alfred.part('open-notifications')).toHaveAccessibleName(/They wait here$/)
  const retried = ['Development done · #1', 'Development done · #2']
  const home = new HomePage(alfred)
  for (const reference of ['#1', '#2']) {
    await home.openMailbox(reference)
    await alfred.part('retry-run').click()
  }
  await alfred.part('open-notifications').click()
  for (const title of retried)
    await expect(told(alfred, title).and(unread(alfred))).toHaveCount(1, runPatience)
  await expect(alfred.part('notifications-wait')).toContainText('Quiet until')
  await keepScreen(alfred, 'notification-centre')
  expect(bus.shown).toEqual([])

  await setting(alfred, 'QUIET_HOURS', null)
  const grouped = await notification(bus, '2 runs ended while you were away')
  expect(grouped.body).toBe('2 done.')
  await alfred.page.keyboard.press('Escape')
  await expect(alfred.part('notification-centre')).toBeHidden()
  bus.clickNotification(grouped.id)
  await expect(alfred.part('notification-centre')).toBeVisible()
  await expect(alfred.part('notifications-wait')).toBeHidden()
  // the one that was clicked is read, those that it told of are not
  await expect(unread(alfred)).toHaveCount(2)
  await told(alfred, 'Development done · #2').and(unread(alfred)).click()
  await expect(new RunPage(alfred).id).toBeVisible()
  await expect(alfred.part('open-notifications')).toHaveAttribute('data-value', '1')

  await setting(alfred, 'NOTIFY_BLOCKED', false)
  await giveIssueToAlfred(alfred, 'Something that fails', demoFault('crash'))
  await alfred.part('open-notifications').click()
  await expect(told(alfred, 'Blocked · #3')).toHaveCount(1, runPatience)
  expect(bus.shown.map(({ summary }) => summary)).toEqual(['2 runs ended while you were away'])
  await alfred.page.getByRole('button', { name: 'Settings of notifications' }).click()
  const settings = new SettingsPage(alfred)
  await expect(settings.row('QUIET_HOURS')).toBeInViewport()
  await alfred.part('section-notifications').click()
  await expect(settings.row('NOTIFY_BUDGET')).toBeVisible()
  await keepScreen(alfred, 'settings-notifications')
})

const told = (alfred: AlfredWindow, title: string) => alfred.part('notification').filter({ hasText: title })
const unread = (alfred: AlfredWindow) =>
  alfred.page.locator('[data-test="notification"][data-state="unread"]')
const setting = (alfred: AlfredWindow, key: string, value: unknown): Promise<unknown> =>
  alfred.ask('settings.set', { scope: 'app', scopeId: 0, key, value })
/** Both ends are the same, so that they are no matter of when the test runs. */
const allDayLong = '12:00-12:00'

test('the tray says what runs, and its menu leads there', async ({ bus, demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const tray = await trayOf(bus)
  await expect.poll(() => tray.tooltip()).toBe('Alfred: nothing runs')
  expect((await tray.menu()).map(({ label }) => label)).toEqual([
    'Alfred · nothing runs',
    'Needs you',
    'Pause new runs',
    'Stop all runs…',
    'Open Alfred',
    'Settings…',
    'Quit Alfred…',
  ])

  const runId = await startEndlessRun(alfred, 'Something that takes long')
  await expect.poll(() => tray.tooltip()).toBe('Alfred: 1 running')
  await expect.poll(async () => (await tray.menu()).map(({ label }) => label)).toContain('#3 Analysis')
  expect((await tray.menu())[0]).toEqual(
    expect.objectContaining({ label: 'Alfred · 1 running', enabled: false }),
  )

  await tray.choose('#3 Analysis')
  await expect(new RunPage(alfred).id).toHaveAttribute('data-value', String(runId))
  await tray.choose('Pause new runs')
  await expect(alfred.part('status-runs')).toHaveAttribute('data-state', 'paused')
  await expect.poll(() => tray.tooltip()).toBe('Alfred: 1 running, new runs paused')
  await tray.choose('Settings…')
  await expect(alfred.part('settings-screen')).toBeVisible()
})

/** What stands on the app's icon where a desktop shows that; here nothing does. */
const keepBadges = (alfred: AlfredWindow): Promise<void> =>
  alfred.inMain(({ app }) => {
    app.setBadgeCount = (count) => {
      Reflect.set(globalThis, 'lastBadge', count)
      return true
    }
  })
const lastBadge = (alfred: AlfredWindow) =>
  alfred.inMain(() => Reflect.get(globalThis, 'lastBadge') as number | undefined)

async function notification(bus: SessionBus, summary: string): Promise<ShownNotification> {
  await expect.poll(() => bus.shown.map((one) => one.summary), runPatience).toContain(summary)
  const shown = bus.shown.find((one) => one.summary === summary)
  if (shown === undefined) throw new Error(`${summary} went away`)
  return shown
}

async function trayOf(bus: SessionBus): Promise<TrayItem> {
  await expect.poll(() => bus.tray() !== null).toBe(true)
  const tray = bus.tray()
  if (tray === null) throw new Error('the tray icon went away')
  return tray
}

/** Takes the state of an issue's sessions away, as a person who cleans up by hand would. */
function forget(home: string, iid: number): void {
  const folder = join(home, '.agent-sessions')
  for (const name of readdirSync(folder)) {
    if (name.endsWith(`-issue-${iid}`)) rmSync(join(folder, name, 'demo'), { recursive: true })
  }
}
