import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { openDatabaseOf, startAlfred } from './homes'

/*
 * Why there can be no engine is said in a window of its own, and nothing of the data is changed.
 */

test('data of a newer Alfred is left alone, and the window says so', async ({ demoHome, start }) => {
  const db = openDatabaseOf(demoHome)
  db.pragma('user_version = 999')
  db.close()
  const before = readFileSync(join(demoHome, 'alfred.db'))
  const alfred = await start({ home: demoHome })
  const card = alfred.part('error-database-newer')
  await expect(card).toContainText('This data was written by a newer Alfred')
  await expect(card).toContainText('format 999')
  expect(readFileSync(join(demoHome, 'alfred.db')).equals(before)).toBe(true)
})

test('a damaged database is told, not deleted', async ({ home, start }) => {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'alfred.db'), Buffer.alloc(64_000, 'no database'))
  const alfred = await start()
  await expect(alfred.part('error-database-damaged')).toContainText('The database is damaged')
})

test('a headless owner hands its data over to the window', async ({ demoHome, start }) => {
  const owner = startAlfred(demoHome, ['watch'])
  const ended = new Promise<number | null>((resolve) => owner.on('exit', resolve))
  await new Promise((resolve) => owner.stdout?.once('data', resolve) ?? owner.stderr?.once('data', resolve))
  const alfred = await start({ home: demoHome })
  await expect(alfred.page.locator('[data-test=mailbox-row]')).toHaveCount(2)
  expect(await ended).toBe(0)
})
