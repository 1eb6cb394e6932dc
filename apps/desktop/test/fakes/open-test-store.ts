import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { createStore } from '@main/adapters/db/create-store'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { openDatabase } from '@main/adapters/db/open-database'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { Store } from '@main/ports/stores'

export interface TestStore {
  readonly folder: string
  readonly file: string
  readonly db: Database
  readonly store: Store
  /** Closes the database and removes its folder. */
  remove(): void
}

/** A store on a real database file in a temporary folder, migrated to the newest format. */
export function openTestStore(): TestStore {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-store-'))
  const file = join(folder, 'alfred.db')
  const opened = openDatabase(file, {
    appVersion: '0.0.0-test',
    now: 0,
    nativeBinding: findNativeBinding(process.env, undefined),
  })
  if (!opened.ok) throw new Error(opened.error.message)
  const { db } = opened.value
  return {
    folder,
    file,
    db,
    store: createStore(db, createSystemRandomness()),
    remove: () => {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
