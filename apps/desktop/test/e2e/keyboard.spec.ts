import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { FirstStartPage } from './pages/first-start-page'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'

/*
 * No test of this file touches the mouse: what a hand on the keyboard cannot reach does not exist.
 */

test.setTimeout(240_000)
const demoPatience = { timeout: 90_000 }

test('the demo from the first start to its diff, by keyboard alone', async ({ start }) => {
  const alfred = await start()
  const { page } = alfred
  const { keyboard } = page
  const home = new HomePage(alfred)
  const run = new RunPage(alfred)
  await expect(new FirstStartPage(alfred).check('docker')).toHaveAttribute('data-state', 'passed')

  await test.step('Tab reaches the demo, and Enter starts it', async () => {
    await tabTo(page, 'try-demo')
    await keyboard.press('Enter')
    await expect(home.mailboxes).toHaveCount(2, demoPatience)
  })

  await test.step('the list has one tab stop, and arrows move in it', async () => {
    await tabTo(page, 'mailbox-row')
    // the demo works on both, and whichever changed last is on top: #1 is the first or the second row
    const keys = ['Home', 'ArrowDown']
    await expect
      .poll(async () => {
        const focused = await focusedAttribute(page, 'data-mailbox')
        if (focused !== '#1') await keyboard.press(keys[0] ?? '')
        keys.reverse()
        return focused
      })
      .toBe('#1')
    await expectVisibleFocus(page)
    await expect(home.title).toContainText('slugs')
  })

  await test.step('V validates the plan that waits', async () => {
    await expect(home.validatePlan).toBeVisible(demoPatience)
    await keyboard.press('v')
    await expect(home.sessionAt(1).badge).toHaveAttribute('data-value', 'resumed', demoPatience)
    await expect(home.status).toHaveAttribute('data-value', 'in_review', demoPatience)
  })

  await test.step('Enter leads into the timeline, J and K move along the sessions', async () => {
    await keyboard.press('Enter')
    await expect.poll(() => alfred.focusedPart()).toBe('session-row')
    await keyboard.press('k')
    await expect.poll(() => focusedAttribute(page, 'aria-rowindex')).toBe('1')
    await keyboard.press('j')
    await expect.poll(() => focusedAttribute(page, 'aria-rowindex')).toBe('2')
    await expectVisibleFocus(page)
  })
  const runId = await home.sessionAt(1).runId()

  await test.step('Enter opens the run and says its name, D shows the diff', async () => {
    await keyboard.press('Enter')
    await expect(run.id).toHaveAttribute('data-value', String(runId))
    await expect(page.locator('h1')).toBeFocused()
    await keyboard.press('d')
    await expect(run.diff).toContainText('export function')
  })

  await test.step('the files that changed are one tab stop, and arrows move along them', async () => {
    await tabTo(page, 'changed-file')
    const first = await focusedAttribute(page, 'data-value')
    await keyboard.press('ArrowDown')
    await expect.poll(() => alfred.focusedPart()).toBe('changed-file')
    await expect.poll(() => focusedAttribute(page, 'data-value')).not.toBe(first)
    await expectVisibleFocus(page)
    await keyboard.press('Tab')
    await expect.poll(() => alfred.focusedPart()).not.toBe('changed-file')
  })

  await test.step('Esc goes back to the same row', async () => {
    await keyboard.press('Escape')
    await expect(home.session(runId)).toBeFocused()
  })
})

test('every screen is one key away, and Esc leads back', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const { page } = alfred
  const { keyboard } = page
  const home = new HomePage(alfred)
  await expect(home.mailboxes).toHaveCount(2)
  await tabTo(page, 'mailbox-row')

  await keyboard.press('Control+,')
  await expect(alfred.part('settings-screen')).toBeVisible()
  await keyboard.press('Escape')
  await keyboard.press('Control+Shift+A')
  await expect(alfred.part('agents-screen')).toBeVisible()
  await keyboard.press('Escape')
  await keyboard.press('Control+Shift+G')
  await expect(alfred.part('forge-url')).toBeFocused()
  await keyboard.press('Escape')
  await expect(alfred.part('forge-url')).not.toBeFocused()
  await keyboard.press('Escape')
  await expect(home.timeline).toBeVisible()

  for (const [key, list] of [
    ['Control+2', 'Needs you'],
    ['Control+5', 'In review'],
    ['Control+7', 'Done'],
    ['Control+1', 'All open'],
  ] as const) {
    await keyboard.press(key)
    await expect(alfred.part('mailbox-list').getByRole('heading', { level: 2 })).toHaveText(list)
  }

  await keyboard.press('Control+K')
  await expect(alfred.part('command-palette')).toBeVisible()
  await keyboard.type('open agents')
  await keyboard.press('Enter')
  await expect(alfred.part('agents-screen')).toBeVisible()
  await keyboard.press('Alt+ArrowLeft')
  await expect(home.timeline).toBeVisible()

  await keyboard.press('Control+Shift+P')
  await expect(alfred.part('status-runs')).toHaveAttribute('data-state', 'paused')
  await keyboard.press('Control+Shift+P')
  await expect(alfred.part('status-runs')).toHaveAttribute('data-state', 'idle')
})

test('F6 goes round the panes, both ways, with a ring on what has the focus', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const { page } = alfred
  await expect(new HomePage(alfred).sessions).toHaveCount(2)
  const seen: string[] = []
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('F6')
    const pane = await paneOfFocus(page)
    if (seen[0] === pane) break
    seen.push(pane)
    await expectVisibleFocus(page)
  }
  expect(seen).toEqual(
    expect.arrayContaining(['title-bar', 'sidebar', 'mailboxes', 'header', 'timeline', 'dock', 'status-bar']),
  )
  await page.keyboard.press('Shift+F6')
  expect(await paneOfFocus(page)).toBe(seen.at(-1))

  // Left and Right lead from the sidebar through the list to the timeline, and back
  await tabTo(page, 'filter-all-open')
  for (const [key, pane] of [
    ['ArrowRight', 'mailboxes'],
    ['ArrowRight', 'timeline'],
    ['ArrowLeft', 'mailboxes'],
    ['ArrowLeft', 'sidebar'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => paneOfFocus(page)).toBe(pane)
  }
})

test('a dialog keeps the focus on its safe choice, and gives it back', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const { page } = alfred
  const home = new HomePage(alfred)
  await tabTo(page, 'mailbox-row')
  await page.keyboard.press('Enter')
  await expect.poll(() => alfred.focusedPart()).toBe('session-row')
  const runId = await home.sessionAt(1).runId()
  await page.keyboard.press('Shift+R')
  const dialog = alfred.part('retry-fresh-dialog')
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab')
    // at its ends the focus passes over a guard that sends it back in
    await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(home.session(runId)).toBeFocused()
})

const focusedAttribute = (page: Page, name: string): Promise<string | null> =>
  page.evaluate((attribute) => document.activeElement?.getAttribute(attribute) ?? null, name)

const paneOfFocus = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane') ?? 'none')

/** Presses Tab until something with this test hook has the focus. */
async function tabTo(page: Page, test: string): Promise<void> {
  const passed: (string | null)[] = []
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab')
    const found = await focusedAttribute(page, 'data-test')
    if (found === test) return expectVisibleFocus(page)
    passed.push(found)
  }
  throw new Error(`Tab does not reach ${test}, only ${passed.join(', ')}`)
}

/** A ring of at least 2 px that is not transparent, inside or outside of what has the focus. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const ring = await page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return null
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(focused)
    return { style: outlineStyle, width: Number.parseFloat(outlineWidth), color: outlineColor }
  })
  expect(ring).not.toBeNull()
  expect(ring?.style).not.toBe('none')
  expect(ring?.width).toBeGreaterThanOrEqual(2)
  expect(ring?.color).not.toMatch(/, 0\)$|transparent/)
}
