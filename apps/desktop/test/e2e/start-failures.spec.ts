import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEngineDatabase } from '../integration/support/engine-database'
import { expect, test } from './fixtures'
import { startAlfred } from './homes'
import { FirstStartPage } from './pages/first-start-page'
import { HomePage } from './pages/home-page'
import { RunPage } from './pages/run-page'
import { keepScreen } from './screens'

const noDocker = { DOCKER_HOST: 'unix:///nonexistent/alfred-e2e.sock' }

test('without Docker the app says so, and plays the demo on this computer only after consent', async ({
  start,
}) => {
  const alfred = await start({ env: noDocker })
  const firstStart = new FirstStartPage(alfred)
  const home = new HomePage(alfred)
  await expect(firstStart.check('docker')).toHaveAttribute('data-state', 'failed')
  await expect(firstStart.check('docker')).toContainText('/nonexistent/alfred-e2e.sock')
  await expect(firstStart.check('docker').getByTestId('doctor-fix')).toHaveCount(1)
  await expect(alfred.part('status-docker')).toHaveAttribute('data-state', 'unreachable')
  await expect(alfred.part('error-docker')).toBeVisible()
  await keepScreen(alfred, 'first-start-without-docker')

  await test.step('a refusal runs nothing', async () => {
    await firstStart.tryDemo.click()
    await expect(firstStart.hostConsent).toBeVisible()
    await keepScreen(alfred, 'host-consent')
    await firstStart.hostConsent.getByRole('button', { name: 'Cancel' }).click()
    await expect(firstStart.hostConsent).toBeHidden()
    expect(await alfred.ask('mailboxes.projects', {})).toEqual([])
  })

  await test.step('with consent both issues are worked on, without sessions', async () => {
    await firstStart.tryDemo.click()
    await firstStart.confirmHost.click()
    await home.openMailbox('#1')
    const row = home.sessionAt(0)
    await expect(row.badge).toHaveAttribute('data-value', 'none')
    await expect(row.badge).toHaveText('No session. Sessions do not apply here: host runner.')
    await expect(row.row).toHaveAccessibleName(/No session: host runner\./)
    await expect(row.nativeId).toHaveAttribute('data-value', '')
    await home.validatePlan.click({ timeout: 30_000 })
    await expect(home.status).toHaveAttribute('data-value', 'in_review', { timeout: 30_000 })
    await expect(home.sessionAt(1).badge).toHaveAttribute('data-value', 'none')
    await keepScreen(alfred, 'home-host-runner')
    await home.openRun(await home.sessionAt(1).runId())
    await expect(new RunPage(alfred).sandbox).toContainText('nothing keeps the agent from your files')
  })
})

test('an engine that a defect ends takes nothing with it: that is said, and it is started again', async ({
  demoHome,
  start,
}) => {
  const alfred = await start({ home: demoHome, env: noDocker })
  const home = new HomePage(alfred)
  await home.openMailbox('#1')
  const sessions = await home.sessionAt(0).runId()
  await alfred.inMain(() => {
    const { prototype } = process.getBuiltinModule('node:worker_threads').Worker
    const post = Reflect.get(prototype, 'postMessage') as (value: unknown) => void
    if (post.name === 'endTheEngine') return
    prototype.postMessage = function endTheEngine() {
      prototype.postMessage = post
      void this.terminate()
    }
  })
  // whatever is asked next meets it, and the page that asked is gone with its question
  await alfred.invoke('app.status', {}).catch(() => undefined)
  await expect(alfred.part('error-engine-lost')).toBeVisible()
  await keepScreen(alfred, 'error-engine-lost')
  await alfred.page.getByRole('button', { name: 'Start again' }).click()
  await home.openMailbox('#1')
  expect(await home.sessionAt(0).runId()).toBe(sessions)
})

test('data of a newer app is left alone, and that is said in plain words', async ({ demoHome, start }) => {
  const db = openEngineDatabase(demoHome)
  db.pragma('user_version = 999')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const before = digest(join(demoHome, 'alfred.db'))
  const backup = join(demoHome, 'backups', '2026-01-02T03-04-05-678Z-format-1.db')
  mkdirSync(join(demoHome, 'backups'), { recursive: true })
  writeFileSync(backup, '')

  const alfred = await start({ home: demoHome })
  const card = alfred.part('error-database-newer')
  await expect(card).toBeVisible()
  await expect(card).toContainText('This data was written by a newer Alfred')
  await expect(card).toContainText('format 999')
  await expect(card).toContainText('nothing was opened or changed')
  await keepScreen(alfred, 'error-database-newer')
  await alfred.inMain(({ shell }) => {
    shell.showItemInFolder = (path) => void (process.env['SHOWN_FILE'] = path)
  })
  await card.getByRole('button', { name: 'Show the backup' }).click()
  await expect.poll(() => alfred.inMain(() => process.env['SHOWN_FILE'] ?? null)).toBe(backup)
  await card.getByRole('button', { name: 'Quit' }).click()
  await expect.poll(() => alfred.isClosed).toBe(true)
  expect(digest(join(demoHome, 'alfred.db'))).toBe(before)
})

test('a damaged database is not written over', async ({ home, start }) => {
  mkdirSync(home, { recursive: true })
  const file = join(home, 'alfred.db')
  writeFileSync(file, 'this was a database once\n'.repeat(1_000))
  const before = digest(file)
  const alfred = await start()
  await expect(alfred.part('error-database-damaged')).toContainText('The database is damaged')
  await keepScreen(alfred, 'error-database-damaged')
  await alfred.close()
  expect(digest(file)).toBe(before)
})

test('a data folder that cannot be used is told in the window', async ({ home, start }) => {
  mkdirSync(join(home, '..'), { recursive: true })
  writeFileSync(home, 'no folder')
  const alfred = await start()
  const card = alfred.part('error-not-writable')
  await expect(card).toContainText(`${home}: a file is in the way`)
  await keepScreen(alfred, 'error-data-folder')
  await alfred.close()
  expect(readFileSync(home, 'utf8')).toBe('no folder')
})

test.describe('with a headless owner', () => {
  let owner: ChildProcess
  test.beforeEach(async ({ demoHome }) => {
    owner = startAlfred(demoHome, ['watch'])
    // its first line: from now on it owns the data
    if (owner.stdout) await once(owner.stdout, 'data')
  })
  test.afterEach(async () => {
    if (owner.exitCode !== null) return
    owner.kill('SIGCONT')
    owner.kill('SIGTERM')
    await once(owner, 'exit')
  })

  test('the owner hands over to the window and ends', async ({ demoHome, start }) => {
    const ended = once(owner, 'exit')
    const alfred = await start({ home: demoHome })
    await expect(new HomePage(alfred).mailboxes).toHaveCount(2)
    expect(await ended).toEqual([0, null])
  })

  test('an owner that does not answer is named, and its data is left alone', async ({ demoHome, start }) => {
    owner.kill('SIGSTOP')
    const alfred = await start({ home: demoHome })
    const card = alfred.part('error-second-instance')
    await expect(card).toBeVisible({ timeout: 20_000 })
    await expect(card).toContainText(String(owner.pid))
    await expect(card).toContainText('alfred watch')
    await keepScreen(alfred, 'error-second-instance')
  })
})

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
