import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from './fixtures'
import { newFolder, removeContainers } from './homes'
import { HomePage } from './pages/home-page'

/*
 * A session that a person made by hand becomes the memory of an issue; a memory is forked and dropped. With the demo
 * agent: what the real CLIs do with their copies, test/clis/hand-made.test.ts shows.
 */

test.setTimeout(240_000)
const patience = { timeout: 90_000 }
const handMadeId = '5d013b97-e3d5-4c50-bd32-62d9d0abbc91'

test('a session made by hand is found, bound and resumed by the next run', async ({ demoHome, start }) => {
  const person = newFolder()
  const kept = join(person, '.demo', 'sessions')
  mkdirSync(kept, { recursive: true })
  const empty = join(person, 'empty')
  mkdirSync(empty)
  const turn = {
    version: 1,
    at: '2026-11-01T10:00:00.000Z',
    asked: 'Paint the harbour lights',
    answered: 'Done.',
  }
  const file = join(kept, `${handMadeId}.jsonl`)
  const written = `${JSON.stringify(turn)}\n`
  writeFileSync(file, written)
  const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000 - 600_000)
  utimesSync(file, threeDaysAgo, threeDaysAgo)
  const alfred = await start()
  const { page } = alfred
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(2)
  const dialog = alfred.part('find-sessions-dialog')

  await test.step('nothing is looked at before a folder is named, and a wrong one is told', async () => {
    await alfred.part('mailbox-more').click()
    await alfred.part('open-find-sessions').click()
    await expect(alfred.part('find-folder')).toBeFocused()
    await expect(alfred.part('find-folder')).toHaveValue('')
    await expect(alfred.part('find-results')).toHaveCount(0)
    await alfred.screenshot('find-sessions')
    await page.keyboard.type('/no/such/folder')
    await page.keyboard.press('Enter')
    await expect(alfred.part('find-problem')).toHaveText('There is no folder /no/such/folder.')
    await alfred.part('find-folder').fill(empty)
    await page.keyboard.press('Enter')
    await expect(alfred.part('empty-found-sessions')).toBeVisible()
    await alfred.screenshot('find-sessions-empty')
  })

  await test.step('what cannot be looked at is named, beside what was found elsewhere', async () => {
    const kept = join(empty, '.local', 'share', 'opencode')
    mkdirSync(kept, { recursive: true })
    writeFileSync(join(kept, 'opencode.db'), 'garbage')
    await page.keyboard.press('Enter')
    const problem = alfred.part('finder-problem')
    await expect(problem).toHaveAttribute('data-adapter', 'opencode')
    await expect(problem).toContainText('is damaged, or changed while it was copied. Quit opencode')
    await expect(alfred.part('empty-found-sessions')).toContainText('No other session was found')
    await expect(alfred.part('empty-found-sessions')).not.toContainText('opencode')
    await alfred.screenshot('find-sessions-unreadable')
    renameSync(join(empty, '.local'), join(person, '.local'))
    await alfred.part('find-folder').fill(person)
    await page.keyboard.press('Enter')
    await expect(alfred.part('found-session')).toContainText('Paint the harbour lights')
    await expect(problem).toContainText(join(person, '.local'))
    await alfred.screenshot('find-sessions-partly')
  })

  await test.step('sessions in a database are found, too', async () => {
    const file = join(person, '.local', 'share', 'opencode', 'opencode.db')
    rmSync(file)
    const db = new DatabaseSync(file)
    db.exec(`CREATE TABLE session (id text, title text, directory text, time_updated integer, parent_id text);
      INSERT INTO session VALUES ('ses_dd46b5ca5ffez8Yjt5yXVQwzBP', 'Paint the pier', '/home/me', 1000, NULL)`)
    db.close()
    await page.keyboard.press('Enter')
    await expect(alfred.part('found-session')).toHaveCount(2)
    await expect(alfred.part('found-session').last()).toContainText('Paint the pier')
    await expect(alfred.part('finder-problem')).toHaveCount(0)
    rmSync(join(person, '.local'), { recursive: true })
  })

  await test.step('by keyboard alone it is found, chosen and bound', async () => {
    await alfred.part('find-folder').fill(person)
    await page.keyboard.press('Enter')
    await expect(alfred.part('found-session')).toHaveCount(1)
    await expect(alfred.part('found-session')).toContainText('Paint the harbour lights')
    await expect(alfred.part('found-session')).toContainText(`${written.length} B`)
    await expect(alfred.part('found-session')).toContainText('3d 00h old')
    await expect(alfred.part('find-progress')).toHaveText('1 session found.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(alfred.part('found-session').getByRole('radio')).toBeFocused()
    await page.keyboard.press('Space')
    await alfred.screenshot('find-sessions-found')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(alfred.part('bind-session')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
  })

  const bound = home.sessionAt(2)
  await test.step('the timeline shows it as an ended run', async () => {
    await expect(home.sessions).toHaveCount(3)
    await expect(bound.phase).toHaveAttribute('data-value', 'terminal')
    await expect(bound.badge).toContainText('Bound by hand')
    await expect(bound.nativeId).toHaveAttribute('data-value', handMadeId)
    await expect(bound.outcome).toHaveAttribute('data-value', 'succeeded')
  })

  await test.step('it cannot be bound again', async () => {
    await alfred.part('mailbox-more').click()
    await alfred.part('open-find-sessions').click()
    await alfred.part('find-folder').fill(person)
    await page.keyboard.press('Enter')
    await expect(alfred.part('found-obstacle')).toContainText("It is this issue's already")
    await expect(alfred.part('found-session').getByRole('radio')).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  await test.step('the next run resumes it', async () => {
    await bound.row.click()
    await expect(alfred.part('retry-run')).toContainText('Go on from here')
    await alfred.screenshot('find-sessions-bound')
    await alfred.part('open-run').click()
    await expect(alfred.part('run-session-facts')).toContainText('Bound by hand')
    await expect(alfred.part('empty-transcript')).toContainText('No agent ran here')
    await expect(alfred.part('run-screen').getByTestId('retry-run')).toHaveAttribute('aria-disabled', 'true')
    await alfred.screenshot('run-bound-by-hand')
    await page.keyboard.press('Escape')
    await alfred.part('retry-run').click()
    await expect(home.sessions).toHaveCount(4)
    const next = home.sessionAt(3)
    await expect(next.badge).toHaveAttribute('data-value', 'resumed', patience)
    await expect(next.nativeId).toHaveAttribute('data-value', handMadeId)
    await expect(next.outcome).toHaveAttribute('data-value', 'succeeded', patience)
  })

  await test.step('its screen tells name, id, memory, size and age', async () => {
    await home.sessionAt(3).row.click()
    await alfred.part('open-run').click()
    const facts = alfred.part('run-session-facts')
    const told = (name: string) => expect(facts.getByTestId(name))
    await told('session-name').toHaveAttribute('data-value', /^agent\/issue-1-/)
    await told('native-session-id').toHaveAttribute('data-value', handMadeId)
    await told('session-badge').toHaveAttribute('data-value', 'resumed')
    await told('session-state-size').toHaveAttribute('data-value', /^[1-9]\d*$/)
    await told('session-state-age').toHaveAttribute('data-value', /^\d+$/)
    await told('session-state-age').toHaveText(/ old$/)
    await page.keyboard.press('Escape')
  })

  await test.step('its fork is a memory of its own; dropped, the next run takes the one before it', async () => {
    await home.sessionAt(3).row.click()
    await alfred.part('memory-menu').click()
    await alfred.screenshot('memory-menu')
    await alfred.part('fork-own-memory').click()
    await expect(alfred.part('fork-memory-dialog')).toBeVisible()
    await alfred.screenshot('fork-memory')
    await alfred.part('confirm-fork-memory').click()
    await expect(home.sessions).toHaveCount(5)
    const fork = home.sessionAt(4)
    await expect(fork.badge).toContainText('Forked by hand')
    await expect(fork.nativeId).not.toHaveAttribute('data-value', handMadeId)
    await fork.row.click()
    await alfred.part('memory-menu').click()
    await alfred.part('drop-own-memory').click()
    await expect(alfred.part('drop-memory-dialog').getByRole('button', { name: 'Keep it' })).toBeFocused()
    await alfred.screenshot('drop-memory')
    await alfred.part('confirm-drop-memory').click()
    await expect(alfred.part('toast')).toContainText('goes on with the newest memory that is left.')
    await home.sessionAt(1).row.click()
    await alfred.part('retry-run').click()
    const next = home.sessionAt(5)
    await expect(next.badge).toHaveAttribute('data-value', 'resumed', patience)
    await expect(next.nativeId).toHaveAttribute('data-value', handMadeId)
  })
  await alfred.close()
  removeContainers(demoHome)
  rmSync(person, { recursive: true, force: true })
})

test('an id that failed can be forked or dropped where its loss is shown', async ({ demoHome, start }) => {
  const alfred = await start()
  const home = new HomePage(alfred)
  await home.openMailbox('#2')
  await expect(home.breaks).toBeVisible()
  await home.sessionAt(1).row.click()
  await alfred.part('memory-menu').click()
  await expect(alfred.page.getByRole('menuitem')).toHaveText([
    /^Terminal in this window/,
    'Fork memory A…',
    'Drop memory A…',
    'Fork memory B…',
    'Drop memory B…',
  ])
  await alfred.part('fork-lost-memory').click()
  await alfred.part('confirm-fork-memory').click()
  await expect(alfred.part('toast')).toContainText('is not there any more')
  // Until the menu has given the focus back, the key belongs to it.
  await expect(alfred.part('memory-menu')).toBeFocused()
  await alfred.page.keyboard.press('Control+K')
  await alfred.part('command-palette').getByRole('combobox').fill('drop memory')
  await alfred.page.getByRole('option', { name: 'Drop memory A' }).click()
  await alfred.part('confirm-drop-memory').click()
  await expect(alfred.part('toast').filter({ hasText: 'Memory A is dropped' })).toContainText(
    'The next run goes on with the newest memory that is left.',
  )
  await alfred.close()
  removeContainers(demoHome)
})
