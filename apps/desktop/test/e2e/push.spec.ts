import { openEngineDatabase } from '../integration/support/engine-database'
import { expect, test } from './fixtures'
import { runAlfred } from './homes'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'

test('a push that waits is looked at, not discarded on second thought, then gone on without', async ({
  demoHome,
  start,
}) => {
  test.setTimeout(300_000)
  const issue = await newIssue()
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await expect(home.mailbox(issue)).toBeVisible({ timeout: 60_000 })
  await home.openMailbox(issue)
  const strip = alfred.part('now-strip')
  await strip.getByRole('button', { name: 'Validate the plan' }).click({ timeout: 120_000 })
  await expect(strip.getByRole('button', { name: 'Show diff' })).toBeVisible({ timeout: 120_000 })
  await keepScreen(alfred, 'push-waits')
  await strip.getByRole('button', { name: 'Show diff' }).click()
  await expect(alfred.part('push-dialog')).toBeVisible()
  await keepScreen(alfred, 'push-dialog')
  await alfred.page.keyboard.press('Escape')

  await strip.getByRole('button', { name: 'Discard…' }).click()
  const question = alfred.page.getByRole('alertdialog')
  await expect(question).toContainText(/Discard \d+ commits? of #\d+\?/)
  await expect(question.getByRole('button', { name: 'Keep them' })).toBeFocused()
  await alfred.page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(strip).toContainText('Needs you')

  await strip.getByRole('button', { name: 'Go on without' }).click()
  await expect(alfred.part('toast')).toContainText('refs/alfred/left-out/')
  // the phase is done again, and its commits wait again
  await expect.poll(() => leftOut()).toMatch(/kept in .* as refs\/alfred\/left-out\//)
  await expect(home.sessions).toHaveCount(3, { timeout: 60_000 })

  function leftOut(): string {
    const db = openEngineDatabase(demoHome)
    const told = db
      .prepare<[], string>("SELECT last_error FROM outbox WHERE last_error LIKE '%went on%'")
      .pluck()
      .get()
    db.close()
    return told ?? ''
  }

  /** A new issue, and every path protected. */
  async function newIssue(): Promise<string> {
    for (const words of [
      ['settings', 'set', 'PUSH_NEEDS_PERSON', '["**"]'],
      ['issue', 'create', 'demo/harbour-notes', '--title', 'Sort notes by age', '--assign', 'alfred'],
    ]) {
      const { code, output, problems } = await runAlfred(demoHome, words)
      if (code !== 0) throw new Error(`alfred ${words.join(' ')}: ${output} ${problems}`)
    }
    return '#3'
  }
})
