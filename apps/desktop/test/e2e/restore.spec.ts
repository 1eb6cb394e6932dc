import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabaseFile, openEngineDatabase } from '../integration/support/engine-database'
import { expect, test } from './fixtures'
import type { AlfredWindow } from './pages/alfred-window'
import { HomePage } from './pages/home-page'
import { keepScreen } from './screens'

/*
 * A database that is damaged or gone: the window offers to put it together again, and the agents remember.
 */

/** Overwrites the page that holds the sessions; nothing of it can be read any more. */
function damage(home: string): void {
  const db = openEngineDatabase(home)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const root = db
    .prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'llm_sessions'")
    .pluck()
    .get()
  db.close()
  const file = join(home, 'alfred.db')
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4096 * ((root ?? 1) - 1), 4096 * (root ?? 1))
  writeFileSync(file, bytes)
}

/** A backup of the time before this run. */
function backUpWithout(home: string, runId: number): void {
  mkdirSync(join(home, 'backups'), { recursive: true })
  const source = openEngineDatabase(home)
  const format = source.pragma('user_version', { simple: true }) as number
  const file = join(home, 'backups', `2026-11-01T09-00-00-000Z-format-${format}-daily.db`)
  source.prepare('VACUUM INTO ?').run(file)
  source.close()
  const backup = openDatabaseFile(file)
  backup.pragma('foreign_keys = ON')
  backup.prepare('DELETE FROM runs WHERE id = ?').run(runId)
  backup.close()
}

async function restore(alfred: AlfredWindow): Promise<void> {
  const card = alfred.part('error-database-damaged')
  await expect(card).toContainText('The database is damaged')
  await expect(card).toContainText('can be read in again')
  await keepScreen(alfred, 'error-database-damaged')
  await card.getByRole('button', { name: 'Restore and read run folders' }).click()
}

test('a damaged database is restored; the timeline shows the sessions, and the next run resumes the old id', async ({
  demoHome,
  playedDemo,
  start,
}) => {
  const [first] = playedDemo.sessions
  const ofFirst = playedDemo.sessions.filter(({ mailbox_id }) => mailbox_id === first?.mailbox_id)
  const last = ofFirst.at(-1)
  backUpWithout(demoHome, last?.run_id ?? 0)
  damage(demoHome)
  const alfred = await start({ home: demoHome })
  await restore(alfred)

  const restored = alfred.part('restored')
  await expect(restored).toContainText('The database is restored')
  await expect(restored).toContainText('It is the backup of')
  await expect(restored).toContainText('1 run with 1 session was read in')
  await expect(restored).toContainText('alfred-damaged-')
  await expect(restored).toContainText('Lost is what lies in no run folder')
  await keepScreen(alfred, 'restored')
  await restored.getByRole('button', { name: 'Start Alfred' }).click()

  const home = new HomePage(alfred)
  await expect(home.mailboxes).toHaveCount(2)
  await home.openMailbox('#1')
  await expect(home.sessions).toHaveCount(ofFirst.length)
  await expect(home.session(last?.run_id ?? 0).getByTestId('native-session-id')).toHaveAttribute(
    'data-value',
    last?.native_session_id ?? '',
  )

  await alfred.ask('runs.request', {
    mailboxId: first?.mailbox_id,
    phase: 'development',
    resumeChoice: 'auto',
  })
  await expect(home.sessions).toHaveCount(ofFirst.length + 1)
  const next = home.sessionAt(ofFirst.length)
  await expect(next.badge).toHaveAttribute('data-value', 'resumed', { timeout: 60_000 })
  await expect(next.nativeId).toHaveAttribute('data-value', last?.native_session_id ?? '')
  expect(readdirSync(demoHome).filter((name) => name.includes('-damaged-'))).toHaveLength(1)
})

test('a database that is gone is not taken for a first start; its run folders bring it back', async ({
  demoHome,
  playedDemo,
  start,
}) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(demoHome, `alfred.db${suffix}`), { force: true })
  const [broken] = readdirSync(join(demoHome, 'runs'))
  writeFileSync(join(demoHome, 'runs', broken ?? '', 'run.json'), '{"version":1}')
  const alfred = await start({ home: demoHome })
  await restore(alfred)
  const restored = alfred.part('restored')
  await expect(restored).toContainText('There was no whole backup')
  await expect(restored).toContainText('1 run folder could not be read')
  await restored.getByRole('button', { name: 'Start Alfred' }).click()
  await expect(new HomePage(alfred).mailboxes).toHaveCount(2)
  const projects = await alfred.ask('mailboxes.projects', {})
  expect(projects).toHaveLength(1)
  expect(playedDemo.sessions.length).toBeGreaterThan(1)
})
