import { expect, test } from './fixtures'
import type { AlfredWindow } from './pages/alfred-window'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import { freshScenes, playedScenes, smallScenes, type Scene } from './scenes'
import { keepScreen } from './screens'

test.setTimeout(240_000)

test('every screen of a played demo is kept as a picture, and axe finds nothing serious on it', async ({
  demoHome,
  start,
}) => {
  await walk(await start({ home: demoHome }), playedScenes)
})

test('so are the screens of a new installation', async ({ start }) => {
  await walk(await start(), freshScenes)
})

test('so are the screens of the smallest window', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  await alfred.resize(960, 600)
  await walk(alfred, smallScenes)
})

test('sessions, breaks and mailboxes are whole sentences to a screen reader', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await home.openMailbox('#2')
  await expect(home.sessions).toHaveCount(2)
  const [asked, got] = [home.sessionAt(0), home.sessionAt(1)]
  const lost = (await asked.nativeId.getAttribute('data-value'))?.slice(0, 8)
  const [first, second] = [await asked.runId(), await got.runId()]

  await expect(
    home.timeline.getByRole('grid').or(home.timeline.and(alfred.page.getByRole('grid'))),
  ).toHaveCount(1)
  const figures = String.raw`\d+ seconds?, 0 dollars, \d+ tokens\.`
  await expect(asked.row).toHaveAccessibleName(
    new RegExp(
      `^Analysis, run ${first}, demo\\. Fresh, first run, memory A\\. ${figures} Wrote the plan\\. Row 1 of 2\\.$`,
    ),
  )
  await expect(got.row).toHaveAccessibleName(
    new RegExp(
      `^Development, run ${second}, demo\\. Fell back, state missing: asked for ${lost}, got memory B\\. ${figures} Pushed 1 commit\\. Row 2 of 2\\.$`,
    ),
  )
  await expect(home.breaks).toHaveAccessibleName(
    new RegExp(
      `^Memory A ends here\\. State missing: asked for ${lost}, \\d+ bytes, \\d+ seconds? old\\. Ran fresh\\.$`,
    ),
  )
  await expect(home.mailbox('#2')).toHaveAccessibleName(
    /^Issue 2 of demo\/harbour-notes[.,] Show how long a note took to write, in hours, minutes and seconds\. .*In review.*\.$/,
  )

  await home.openMailbox('#1')
  await expect(home.sessionAt(1).row).toHaveAccessibleName(/ Resumed, memory A\. /)
  await home.openRun(await home.sessionAt(1).runId())
  const log = alfred.page.getByRole('log')
  await expect(log).toHaveAttribute('aria-live', 'off')
  await expect(new RunPage(alfred).badge).toContainText(
    /Remembered\. The first event carried [0-9a-f]{8}…[0-9a-f]{4}\./,
  )
})

test('F8 reads the new events of a run that goes on, each of them once', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome, env: { ALFRED_DEMO_PACE: '2500' } })
  const home = new HomePage(alfred)
  const run = new RunPage(alfred)
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(2)
  await alfred.part('retry-run').click()
  await expect(home.sessions).toHaveCount(3)
  await home.openRun(await home.sessionAt(2).runId())
  await expect(run.events.first()).toBeVisible({ timeout: 60_000 })
  await alfred.page.keyboard.press('F8')
  await expect(alfred.announcement).toHaveText(
    /^Memory proven\. The first event carries the id that was asked for(\.|$)/,
  )
  await expect(run.state).toHaveAttribute('data-value', 'succeeded', { timeout: 120_000 })
  await alfred.page.keyboard.press('F8')
  await expect(alfred.announcement).toHaveText(/Result: /)
  await expect(alfred.announcement).not.toContainText('Memory proven')
  await alfred.page.keyboard.press('F8')
  await expect(alfred.announcement).toHaveText('No new events')
})

test('what happens to a run is said in one polite place, a sentence at a time', async ({
  demoHome,
  start,
}) => {
  // slow enough that each sentence is said before the next one is true
  const alfred = await start({ home: demoHome, env: { ALFRED_DEMO_PACE: '2500' } })
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(2)
  await expect(alfred.page.locator('[aria-live="polite"]').and(alfred.announcement)).toHaveRole('status')
  await alfred.announcement.evaluate((region) => {
    const said: string[] = []
    Reflect.set(globalThis, 'said', said)
    new MutationObserver(() => said.push(region.textContent ?? '')).observe(region, {
      childList: true,
      subtree: true,
      characterData: true,
    })
  })
  await alfred.part('retry-run').click()
  const said = () => alfred.page.evaluate(() => Reflect.get(globalThis, 'said') as readonly string[])
  await expect.poll(said, { timeout: 30_000 }).toContainEqual(expect.stringMatching(/^Finished: /))
  const messages = await said()
  expect(messages).toContain('Resumed, remembered')
  expect(messages.filter((message) => /\d+s|turn|context/.test(message))).toEqual([])
})

async function walk(alfred: AlfredWindow, scenes: readonly Scene[]): Promise<void> {
  for (const scene of scenes) {
    await test.step(scene.name, async () => {
      await scene.show(alfred)
      await keepScreen(alfred, scene.name)
      await scene.leave?.(alfred)
    })
  }
}
