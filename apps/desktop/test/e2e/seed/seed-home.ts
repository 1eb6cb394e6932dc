import { join } from 'node:path'
import { createStore } from '@main/adapters/db/create-store'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { openDatabase } from '@main/adapters/db/open-database'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import { seedStore, type SeedSize } from '../../fakes/seed-store'

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
const seeded = seedStore(createStore(db, createSystemRandomness()), JSON.parse(size) as SeedSize)
db.close()
process.stdout.write(JSON.stringify({ mailboxIds: seeded.mailboxIds, lastRunId: seeded.lastRunId }))
