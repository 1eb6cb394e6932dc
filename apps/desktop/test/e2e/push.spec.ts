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

test('commits that were made in a chat wait in the window, and are pushed on a click', async ({
  demoHome,
  start,
}) => {
  test.setTimeout(300_000)
  const alfred = await start({ home: demoHome })
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(2)
  const strip = alfred.part('now-strip')
  await say('Phase: development')
  await expect(strip).toContainText('There are commits that were not pushed.', { timeout: 60_000 })
  await expect(home.sessions).toHaveCount(3)
  await keepScreen(alfred, 'unpushed-work')

  await strip.getByRole('button', { name: 'Show diff' }).click()
  const dialog = alfred.part('push-dialog')
  await expect(dialog).toContainText('These commits were made in a chat. Nothing of them was pushed.')
  await expect(alfred.part('push-paths')).toBeHidden()
  await keepScreen(alfred, 'unpushed-work-dialog')
  await alfred.page.keyboard.press('Escape')
  await strip.getByRole('button', { name: 'Discard…' }).click()
  const question = alfred.page.getByRole('alertdialog')
  await expect(question).toContainText('Runs of the issue go on.')
  await question.getByRole('button', { name: 'Keep them' }).click()

  await test.step('the chat itself tells of them too, with the same choices', async () => {
    await home.sessions.last().click()
    await alfred.page.keyboard.press('c')
    const inChat = alfred.part('unpushed-strip')
    await expect(inChat).toContainText(/\d+ commits? not pushed/)
    for (const name of ['Show diff', 'Discard…', 'Go on without', 'Push'])
      await expect(inChat.getByRole('button', { name, exact: true })).toBeVisible()
    await keepScreen(alfred, 'chat-unpushed')
    await alfred.page.keyboard.press('Alt+ArrowLeft')
    await expect(home.sessions).toHaveCount(3)
  })

  expect(sentPushes()).toBe(1)
  await strip.getByRole('button', { name: 'Push', exact: true }).click()
  await expect.poll(sentPushes, { timeout: 60_000 }).toBe(2)
  await expect(strip).toBeHidden()

  /** In a chat on the last run of #1, the demo agent takes these words for the phase that it plays. */
  async function say(message: string): Promise<void> {
    const words = ['chat', lastRun()]
    const { code, output, problems } = await runAlfred(demoHome, words, {}, `${message}\n`)
    if (code !== 0) throw new Error(`alfred ${words.join(' ')}: ${output} ${problems}`)
  }
  function lastRun(): string {
    return ask<number>(
      'SELECT max(runs.id) FROM runs JOIN mailboxes ON mailboxes.id = runs.mailbox_id WHERE mailboxes.iid = 1',
    ).toString()
  }
  function sentPushes(): number {
    return ask<number>(
      "SELECT count(*) FROM outbox JOIN mailboxes ON mailboxes.id = outbox.mailbox_id WHERE mailboxes.iid = 1 AND outbox.kind = 'push' AND outbox.state = 'sent'",
    )
  }
  function ask<Answer>(question: string): Answer {
    const db = openEngineDatabase(demoHome)
    try {
      return db.prepare<[], Answer>(question).pluck().get() as Answer
    } finally {
      db.close()
    }
  }
})
