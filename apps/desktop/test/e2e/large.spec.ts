import { join } from 'node:path'
import { expect, test as base, type WorkerFixtures, type TestFixtures } from './fixtures'
import { newFolder, removeHome } from './homes'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import { keepScreen } from './screens'
import { seedHome, type SeededHome } from './seed/build-seed'

/** The busiest mailbox has 500 runs: five pages. */
const size = { mailboxes: 200, runs: 100_000, attempts: 1, events: 20_000 }

const test = base.extend<TestFixtures, WorkerFixtures & { readonly seeded: SeededHome }>({
  seeded: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const folder = newFolder()
      await use(await seedHome(join(folder, 'home'), size))
      removeHome(folder)
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

test('100,000 runs: the first page shows, and earlier ones come as one scrolls up', async ({
  seeded,
  start,
}) => {
  const alfred = await start({ home: seeded.home })
  const home = new HomePage(alfred)
  await expect(home.mailboxes.first()).toBeVisible()
  await home.mailboxes.first().click()
  await expect(home.sessions.last()).toBeVisible()
  const newest = await newestRow()
  expect(newest).toEqual({ row: 500, of: 500 })

  await keepScreen(alfred, 'home-large')
  const rows = new Set<number>()
  // a page is 100 rows of 48 px; the last one is reached by its own key
  await home.sessions.last().click()
  for (let step = 0; step < 400 && !rows.has(1); step += 1) {
    await alfred.page.keyboard.press('PageUp')
    rows.add(await focusedRow())
  }
  expect(Math.min(...rows)).toBe(1)
  await expect(home.sessions.first()).toHaveAccessibleName(/Row 1 of 500\.$/)
  // only what can be seen is drawn
  expect(await home.sessions.count()).toBeLessThan(60)
  await alfred.page.keyboard.press('End')
  await expect(home.sessions.last()).toHaveAccessibleName(/Row 500 of 500\.$/)

  async function newestRow(): Promise<{ row: number; of: number }> {
    const label = (await home.sessions.last().getAttribute('aria-label')) ?? ''
    const [, row, of] = /Row (\d+) of (\d+)\.$/.exec(label) ?? []
    return { row: Number(row), of: Number(of) }
  }

  async function focusedRow(): Promise<number> {
    // the page above is read while the focus waits at its edge
    await expect.poll(() => alfred.focusedPart()).toMatch(/session-row|memory-break/)
    return Number(
      (await alfred.page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'))) ?? Number.NaN,
    )
  }
})

test('a list of many mailboxes is read as one goes down, and found by its words', async ({
  seeded,
  start,
}) => {
  const alfred = await start({ home: seeded.home })
  const home = new HomePage(alfred)
  await expect(home.mailboxes.first()).toBeVisible()
  await alfred.page.keyboard.press('Control+7')
  await expect(alfred.part('mailbox-list').getByRole('heading', { level: 2 })).toHaveText('Done')
  await home.mailboxes.first().click()
  await alfred.page.keyboard.press('End')
  await expect
    .poll(() => alfred.page.evaluate(() => Number(document.activeElement?.getAttribute('aria-posinset'))))
    .toBeGreaterThan(40)
  expect(await home.mailboxes.count()).toBeLessThan(40)
  await alfred.part('filter-text').fill('pier 17 without the crane 3')
  await expect(home.mailboxes).toHaveCount(1)
  await expect(home.mailboxes).toContainText('pier 17')
})

test('earlier events of a long run come in front, and what is read stays where it is', async ({ start }) => {
  const folder = newFolder()
  const { home: long } = await seedHome(join(folder, 'home'), {
    mailboxes: 10,
    runs: 10,
    attempts: 1,
    events: 20_000,
  })
  const alfred = await start({ home: long })
  const home = new HomePage(alfred)
  await home.mailboxes.first().click()
  await home.sessions.last().dblclick()
  const run = new RunPage(alfred)
  await expect(run.events.last()).toBeInViewport()

  for (let page = 0; page < 2; page += 1) {
    // just before the next page is read
    const before = await run.scrollTranscript(700)
    await run.scrollTranscriptUp(200)
    // its place among all rows tells that others came in front of it
    await expect.poll(async () => (await run.placeOf(before.seq)).index).toBeGreaterThan(before.index + 300)
    const moved = (await run.placeOf(before.seq)).top - before.top
    expect(Math.abs(moved - 200)).toBeLessThanOrEqual(1)
  }
  await alfred.close()
  removeHome(folder)
})
