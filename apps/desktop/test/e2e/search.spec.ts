import { openEngineDatabase } from '../integration/support/engine-database'
import { expect, test } from './fixtures'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import { keepScreen } from './screens'

test('the palette finds what an agent said, in whichever run, and leads there', async ({
  demoHome,
  start,
}) => {
  const said = wordsOfAnAgent()
  const alfred = await start({ home: demoHome })
  await expect(new HomePage(alfred).mailboxes.first()).toBeVisible()
  await alfred.page.keyboard.press('Control+k')
  await expect(alfred.part('command-palette')).toBeVisible()
  const hit = alfred.page.locator(
    `[data-test=palette-item][data-run="${said.runId}"][data-seq="${said.seq}"]`,
  )
  // the engine takes transcripts into its index beside everything else
  await expect(async () => {
    await alfred.page.keyboard.press('Control+a')
    await alfred.page.keyboard.type(said.words)
    await alfred.page.keyboard.press('Control+Enter')
    await expect(hit).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  await expect(hit.locator('mark').first()).toBeVisible()
  await expect(alfred.part('palette-count')).toContainText(/\d+ of \d+ transcript hits?, \d+ ms/)
  await keepScreen(alfred, 'palette-transcripts')
  await hit.click()
  await expect(alfred.part('run-screen')).toBeVisible()
  await expect(
    new RunPage(alfred).events.and(alfred.page.locator(`[data-seq="${said.seq}"]`)),
  ).toBeInViewport()

  function wordsOfAnAgent(): { runId: number; seq: number; words: string } {
    const db = openEngineDatabase(demoHome)
    const row = db
      .prepare<[], { runId: number; seq: number; text: string }>(
        `SELECT run_id AS runId, seq, text FROM run_events
         WHERE kind = 'text' ORDER BY id LIMIT 1`,
      )
      .get()
    db.close()
    if (!row) throw new Error('no agent said anything in the demo')
    return { runId: row.runId, seq: row.seq, words: row.text.split(/\s+/).slice(0, 3).join(' ') }
  }
})
