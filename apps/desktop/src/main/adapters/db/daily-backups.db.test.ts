import Database from 'better-sqlite3'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Backups } from '@main/ports/backups'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox } from '../../../../test/fakes/seed-mailbox'
import { backUpBeforeMigrating, newestBackup } from './backups'
import { createDailyBackups } from './daily-backups'
import { isSuspect } from './integrity'
import { findNativeBinding } from './native-binding'

const nativeBinding = findNativeBinding(process.env, undefined)
const dayMs = 24 * 3_600_000
const firstDay = Date.UTC(2026, 0, 1, 9)
const { signal } = new AbortController()

let test: TestStore
let backups: Backups
beforeEach(() => {
  test = openTestStore()
  seedEndedRun(test.store, seedMailbox(test.store), { nativeSessionId: 'mine' })
  const resourcesFolder = resolve(import.meta.dirname, '../../../../resources')
  backups = createDailyBackups({ file: test.file, resourcesFolder, nativeBinding })
})
afterEach(() => test.remove())

const names = (): readonly string[] => readdirSync(join(test.folder, 'backups')).toSorted()

describe('the daily copy of the database', () => {
  it('is whole, private, and holds what was written a moment ago', async () => {
    expect(backups.newestDaily()).toBeNull()
    const made = await backups.makeDaily(firstDay, signal)
    if (!made.ok) throw new Error(made.error.message)
    expect(backups.newestDaily()).toBe(firstDay)
    expect(newestBackup(test.file)).toBe(made.value)
    expect(statSync(made.value).mode & 0o777).toBe(0o600)
    const copy = new Database(made.value, { readonly: true, ...(nativeBinding && { nativeBinding }) })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(copy.prepare('SELECT native_session_id FROM llm_sessions').pluck().all()).toEqual(['mine'])
    copy.close()
  })

  it('is kept for five days, and pushes no copy out that was made before a migration', async () => {
    const old = backUpBeforeMigrating(test.db, join(test.folder, 'backups'), 3, firstDay - dayMs)
    for (let day = 0; day < 7; day += 1) await backups.makeDaily(firstDay + day * dayMs, signal)
    expect(names()).toHaveLength(6)
    expect(names()[0]).toBe(old.split('/').at(-1))
    expect(names()[1]).toMatch(/^2026-01-03/)
  })

  it('is not made of a damaged database, which the next start then checks', async () => {
    test.db.pragma('wal_checkpoint(TRUNCATE)')
    const root = test.db
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'runs'")
      .pluck()
      .get() as number
    const bytes = readFileSync(test.file)
    bytes.fill(0xff, 4096 * (root - 1), 4096 * root)
    writeFileSync(test.file, bytes)
    expect(await backups.makeDaily(firstDay, signal)).toMatchObject({ error: { type: 'database_damaged' } })
    expect(names()).toEqual([])
    expect(isSuspect(test.file)).toBe(true)
  })

  it('leaves nothing half-made when it fails', async () => {
    const lost = createDailyBackups({ file: test.file, resourcesFolder: '/nowhere', nativeBinding })
    expect(await lost.makeDaily(firstDay, signal)).toMatchObject({ error: { type: 'failed' } })
    expect(names()).toEqual([])
  })
})
