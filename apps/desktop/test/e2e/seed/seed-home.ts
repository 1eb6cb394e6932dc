import { join } from 'node:path'
import { createStore } from '@main/adapters/db/create-store'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { openDatabase } from '@main/adapters/db/open-database'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import { seedStore } from '../../fakes/seed-store'
import type { HomeSize } from './build-seed'

/*
 * A program of its own, since the app's stores are made for a bundler: `node seed-home.js FOLDER SIZE` fills the
 * database of a data folder and prints what it made.
 */

const [, , folder = '', size = '{}'] = process.argv
const opened = openDatabase(join(folder, 'alfred.db'), {
  appVersion: '0.0.0-test',
  now: Date.now(),
  nativeBinding: findNativeBinding(process.env, undefined),
})
if (!opened.ok) throw new Error(opened.error.message)
const { db } = opened.value
const asked = JSON.parse(size) as HomeSize
const store = createStore(db, createSystemRandomness())
const seeded = seedStore(store, asked)
if (asked.burst !== undefined) {
  const text = 'The crates are at the pier until Thursday. '.repeat(24)
  const events = Array.from(
    { length: asked.burst },
    () => ({ at: 1, kind: 'text', payload: { text } }) as const,
  )
  store.events.appendPacked(seeded.lastRunId, await store.events.pack(events))
}
db.close()
process.stdout.write(JSON.stringify({ mailboxIds: seeded.mailboxIds, lastRunId: seeded.lastRunId }))
