import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DoctorLine } from '@shared/contract/app'
import { expect, test } from './fixtures'
import { liveContainers } from './homes'
import type { AlfredWindow } from './pages/alfred-window'
import { startEndlessRun } from './pages/engine'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import { keepScreen } from './screens'
import { startSessionBus, type SessionBus } from './session-bus'

test('the page cannot be led away and opens no window; only web addresses go to the browser', async ({
  start,
}) => {
  const alfred = await start()
  const { page } = alfred
  await alfred.inMain(({ shell }) => {
    const opened: string[] = []
    Reflect.set(globalThis, 'openedInBrowser', opened)
    shell.openExternal = (address: string) => {
      opened.push(address)
      return Promise.resolve()
    }
  })
  const address = page.url()
  expect(address).toMatch(/^app:\/\/alfred\//)
  const windows = await page.evaluate(() => {
    location.href = 'https://example.invalid/away'
    return ['https://example.invalid/page', 'file:///etc/passwd', 'javascript:alert(1)', 'about:blank'].map(
      (target) => window.open(target) !== null,
    )
  })
  expect(windows).toEqual([false, false, false, false])
  await page.evaluate(() =>
    ['https://example.invalid/a', 'file:///etc/passwd', 'smb://host/x'].forEach((target) =>
      window.alfred.shell.openExternal(target),
    ),
  )
  await expect
    .poll(() => alfred.inMain(() => Reflect.get(globalThis, 'openedInBrowser') as readonly string[]))
    .toEqual(['https://example.invalid/page', 'https://example.invalid/a'])
  expect(page.url()).toBe(address)
  expect(alfred.app.windows()).toHaveLength(1)
})

test('the engine takes known calls with sound input, and nothing else', async ({ start }) => {
  const alfred = await start()
  const answers = await Promise.all([
    alfred.invoke('app.info', {}),
    alfred.invoke('app.format_disk', {}),
    alfred.invoke('__proto__.constructor', {}),
    alfred.invoke('runs.get', { runId: '1; DROP TABLE runs' }),
    alfred.invoke('runs.get', { runId: 12_345 }),
    alfred.invoke('mailboxes.list', { filter: 'everything' }),
    alfred.invoke('settings.set', { scope: 'app', scopeId: 0, key: 'PATH', value: '/' }),
  ])
  expect(answers).toEqual([
    expect.objectContaining({ ok: true }),
    { ok: false, error: expect.objectContaining({ type: 'not_found' }) },
    { ok: false, error: expect.objectContaining({ type: 'not_found' }) },
    { ok: false, error: expect.objectContaining({ type: 'invalid_input' }) },
    { ok: false, error: expect.objectContaining({ type: 'not_found' }) },
    { ok: false, error: expect.objectContaining({ type: 'invalid_input' }) },
    { ok: false, error: expect.objectContaining({ type: 'invalid_input' }) },
  ])
})

test('the native id of a session is copied whole by a click on it, and by its key', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  const clipboard = () => alfred.inMain(({ clipboard }) => clipboard.readText())
  await home.openMailbox('#2')
  await expect(home.sessions).toHaveCount(2)
  const [asked, got] = [home.sessionAt(0), home.sessionAt(1)]
  const [lost, kept] = [
    await asked.nativeId.getAttribute('data-value'),
    await got.nativeId.getAttribute('data-value'),
  ]
  expect(kept).not.toBe(lost)
  await asked.nativeId.click()
  await expect.poll(clipboard).toBe(lost)
  await expect(asked.nativeId).toHaveAccessibleName(/^Copied session id /)
  await got.row.click()
  await alfred.page.keyboard.press('Shift+Y')
  await expect.poll(clipboard).toBe(kept)
  await expect(alfred.announcement).toHaveText('Session id copied')
})

test('closing hides to the tray, and a click there brings the window back', async ({ bus, start }) => {
  const alfred = await start()
  await expect.poll(() => bus.tray() !== null).toBe(true)
  await alfred.page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => isShown(alfred)).toBe(false)
  expect(alfred.isClosed).toBe(false)
  await bus.tray()?.activate()
  await expect.poll(() => isShown(alfred)).toBe(true)
})

test.describe('where nobody shows tray icons or notifications', () => {
  let bare: SessionBus
  test.beforeEach(async () => {
    bare = await startSessionBus({ hasTrayHost: false, hasNotifications: false })
  })
  test.afterEach(() => bare.stop())

  test('that is said, and closing quits', async ({ start }) => {
    const alfred = await start({ env: bare.env })
    await expect(alfred.part('status-docker')).toHaveAttribute('data-state', 'reachable')
    const { lines } = await alfred.ask<{ lines: readonly DoctorLine[] }>('app.doctor', {})
    expect(lines.find(({ check }) => check === 'desktop')).toMatchObject({
      state: 'optional',
      detail:
        'no notification service, so messages wait in the notification centre; no place for tray icons, so closing the window quits',
    })
    await expect(alfred.part('open-notifications')).toHaveAccessibleName('Notifications. They wait here')
    await alfred.part('open-notifications').click()
    await expect(alfred.part('notifications-wait')).toHaveText(
      'The system shows no notifications right now, so they wait here.',
    )
    await alfred.page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect.poll(() => alfred.isClosed).toBe(true)
  })

  test('closing asks first while a run is live', async ({ demoHome, start }) => {
    const alfred = await start({ home: demoHome, env: bare.env })
    await startEndlessRun(alfred, 'Something that takes long')
    await alfred.page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(alfred.part('quit-dialog')).toBeVisible()
    await alfred.part('quit-cancel').click()
    await expect(alfred.part('quit-dialog')).toBeHidden()
    expect(alfred.isClosed).toBe(false)
  })
})

test('quitting keeps live runs running, and the next start finds them again', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const runId = await startEndlessRun(alfred, 'Something that takes long')
  await new HomePage(alfred).openMailbox('#3')
  await expect(new HomePage(alfred).sessionAt(0).outcome).toHaveAttribute('data-state', 'running')
  await keepScreen(alfred, 'home-live')
  await alfred.page.keyboard.press('Control+Q')
  await expect(alfred.part('quit-dialog')).toContainText('One run is still live')
  await expect.poll(() => alfred.focusedPart()).toBe('quit-cancel')
  await keepScreen(alfred, 'quit')
  await alfred.part('quit-confirm').click()
  await expect.poll(() => alfred.isClosed).toBe(true)
  const [container] = liveContainers(demoHome)
  expect(container).toBeDefined()

  const again = await start({ home: demoHome })
  const run = new RunPage(again)
  await again.page.keyboard.press('Control+3')
  await new HomePage(again).openRun(runId)
  await expect(run.state).toHaveAttribute('data-value', 'running')
  await expect(run.events.last()).toContainText('Alfred was started again, and goes on with this run.')
  expect(liveContainers(demoHome)).toEqual([container])
  await keepScreen(again, 'run-live')
  await again.part('stop-run').click()
  await again.part('confirm-stop').click()
  await expect(run.state).toHaveAttribute('data-value', 'stopped', { timeout: 30_000 })
  expect(liveContainers(demoHome)).toEqual([])
})

test('quitting stops the live runs when told so', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const runId = await startEndlessRun(alfred, 'Something that takes long')
  await alfred.page.keyboard.press('Control+Q')
  await alfred.part('quit-stop-runs').click()
  await expect(alfred.part('quit-confirm')).toHaveText('Stop and quit')
  await alfred.part('quit-confirm').click()
  await expect.poll(() => alfred.isClosed, { timeout: 30_000 }).toBe(true)
  expect(liveContainers(demoHome)).toEqual([])

  const again = await start({ home: demoHome })
  const home = new HomePage(again)
  await home.openMailbox('#3')
  await expect(home.session(runId).getByTestId('run-outcome')).toHaveAttribute('data-value', 'stopped')
})

test('the window comes back where it was, unless that is on no screen any more', async ({ home, start }) => {
  const first = await start()
  const place = { x: 60, y: 40, width: 1100, height: 700 }
  await first.inMain(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    place,
  )
  await expect.poll(() => boundsOf(first)).toEqual(place)
  await first.close()

  const second = await start()
  expect(await boundsOf(second)).toEqual(place)
  await second.close()

  const file = join(home, 'window', 'window.json')
  expect(existsSync(file)).toBe(true)
  const saved = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...saved, x: 9_000, y: -4_000 }))
  const third = await start()
  const shown = await boundsOf(third)
  expect(shown).toMatchObject({ width: 1280, height: 800 })
  expect(shown.x).toBeLessThan(2_000)
})

test('the smallest window has everything, and scrolls to no side', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await alfred.resize(960, 600)
  await home.openMailbox('#2')
  await expect(alfred.part('sidebar-rail')).toBeVisible()
  await expect(alfred.part('sidebar')).toHaveCount(0)
  await expect(home.breaks).toBeVisible()
  const list = await alfred.part('mailbox-list').boundingBox()
  expect(list?.width).toBe(232)
  // the id stands behind the model, and the dock is icons with names
  await expect(home.sessionAt(1).phase).toBeVisible()
  await expect(home.sessionAt(1).name).toBeHidden()
  await expect(home.dock.getByRole('button')).toHaveCount(9)
  const runId = await home.sessionAt(1).runId()
  for (const button of await home.dock.getByRole('button').all())
    await expect(button).toHaveAccessibleName(new RegExp(`run ${runId}\\b`))
  // the list is filtered there too, and what filters it is seen
  await alfred.part('list-filter').click()
  await alfred.part('filter-by-words').click()
  await expect(alfred.part('filter-text')).toBeFocused()
  await alfred.page.keyboard.type('slugs')
  await expect(home.mailboxes).toHaveCount(1)
  await alfred.page.keyboard.press('Escape')
  await expect(home.mailboxes).toHaveCount(2)
  await alfred.page.keyboard.press('Escape')
  await expect(alfred.part('filter-text')).toHaveCount(0)
  await expect.poll(() => alfred.focusedPart()).toBe('mailbox-row')
  await alfred.page.keyboard.press('/')
  await expect(alfred.part('filter-text')).toBeFocused()
  await alfred.page.keyboard.press('Escape')
  await home.openMailbox('#2')
  await alfred.part('retry-fresh').hover()
  await expect(alfred.page.getByText(/^Retry fresh/)).toBeVisible()
  await alfred.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(500, 300))
  const size = await alfred.page.evaluate(() => ({
    width: innerWidth,
    height: innerHeight,
    content: document.documentElement.scrollWidth,
  }))
  expect(size).toEqual({ width: 960, height: 600, content: 960 })
})

test('the usual window keeps the buttons of the dock in one line, and no message lies on them', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await home.openMailbox('#2')
  await expect(home.breaks).toBeVisible()
  await expect(alfred.part('retry-run')).toContainText('Retry')
  const places = ['continue-as-chat', 'retry-run', 'retry-fresh', 'copy-session-id', 'open-run']
  const middles = new Set<number>()
  for (const place of places) {
    const box = await alfred.part(place).boundingBox()
    middles.add(Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2))
  }
  expect([...middles]).toHaveLength(1)

  await alfred.part('memory-menu').click()
  await alfred.part('drop-own-memory').click()
  await alfred.part('confirm-drop-memory').click()
  await expect(alfred.part('toast')).toContainText('Memory B is dropped')
  const dock = await home.dock.boundingBox()
  await expect
    .poll(async () => {
      const toast = await alfred.part('toast').boundingBox()
      return (toast?.y ?? Infinity) + (toast?.height ?? 0)
    })
    .toBeLessThan(dock?.y ?? 0)
  await alfred.screenshot('toast')

  // the largest text cuts no button off
  for (let step = 0; step < 5; step += 1) await alfred.page.keyboard.press('Control+=')
  await expect(home.dock).toHaveAttribute('data-layout', 'icons')
  for (const place of places) await expect(alfred.part(place)).toBeInViewport({ ratio: 1 })
  await home.openRun(await home.sessionAt(1).runId())
  await expect(alfred.part('run-screen')).toHaveAttribute('data-state', 'ended')
  // what has no room is told whole, and what has is not told twice
  const tool = alfred.page.getByText('run the tests', { exact: true })
  await tool.evaluate((element) => element.style.setProperty('max-width', '40px'))
  await tool.hover()
  await expect(tool).toHaveAttribute('title', 'run the tests')
  await tool.evaluate((element) => element.style.removeProperty('max-width'))
  await alfred.part('run-id').hover()
  await tool.hover()
  await expect(tool).not.toHaveAttribute('title')
  for (const place of ['continue-as-chat', 'copy-run-link', 'retry-run', 'retry-fresh'])
    await expect(alfred.part(place)).toBeInViewport({ ratio: 1 })
  await alfred.screenshot('run-largest-text')
})

const isShown = (alfred: AlfredWindow): Promise<boolean> =>
  alfred.inMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true)

const boundsOf = (alfred: AlfredWindow) =>
  alfred.inMain(
    ({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getBounds() ?? { x: 0, y: 0, width: 0, height: 0 },
  )
