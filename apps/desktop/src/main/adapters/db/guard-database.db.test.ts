import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { StorageError } from '@main/ports/storage-failure'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { guardDatabase } from './guard-database'
import { findNativeBinding } from './native-binding'

let test: TestStore
let met: StorageError[]
beforeEach(() => {
  test = openTestStore()
  met = []
  guardDatabase(test.db, (failure) => met.push(failure))
})
afterEach(() => test.remove())

describe('a guarded database', () => {
  it('says that the disk is full, from a statement and from a transaction, and is whole afterwards', () => {
    test.db.pragma(`max_page_count = ${test.db.pragma('page_count', { simple: true }) as number}`)
    const add = test.db.prepare('INSERT INTO meta VALUES (?, ?)')
    const large = 'x'.repeat(100_000)
    expect(() => add.run('a', large)).toThrow(
      expect.objectContaining({ type: 'disk_full', code: 'SQLITE_FULL' }),
    )
    expect(() => test.db.transaction(() => add.run('b', large)).immediate()).toThrow(StorageError)
    expect(met.map(({ type }) => type)).toEqual(['disk_full', 'disk_full'])
    expect(test.db.prepare("SELECT count(*) FROM meta WHERE key IN ('a', 'b')").pluck().get()).toBe(0)
  })

  it('says that it is locked, also at the begin of a transaction', () => {
    const nativeBinding = findNativeBinding(process.env, undefined)
    const other = new Database(test.file, nativeBinding ? { nativeBinding } : {})
    other.exec('BEGIN IMMEDIATE')
    test.db.pragma('busy_timeout = 0')
    expect(() => test.db.transaction(() => 1).immediate()).toThrow(
      expect.objectContaining({ type: 'database_locked' }),
    )
    other.exec('ROLLBACK')
    other.close()
    expect(test.db.transaction(() => 1).immediate()).toBe(1)
  })

  it('says that it is damaged when a page cannot be read', () => {
    test.db.pragma('wal_checkpoint(TRUNCATE)')
    const root = test.db
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'runs'")
      .pluck()
      .get() as number
    const bytes = readFileSync(test.file)
    bytes.fill(0xff, 4096 * (root - 1), 4096 * root)
    writeFileSync(test.file, bytes)
    test.db.pragma('shrink_memory')
    expect(() => test.db.prepare('SELECT * FROM runs').all()).toThrow(
      expect.objectContaining({ type: 'database_damaged' }),
    )
    expect(met).toHaveLength(1)
  })

  it('throws on what is a defect, and keeps results, plucked ones too', () => {
    expect(() => test.db.prepare('SELECT 1 FROM nowhere')).toThrow('no such table')
    expect(() => test.db.prepare('INSERT INTO meta VALUES (NULL, NULL)').run()).toThrow('NOT NULL')
    expect(met).toEqual([])
    expect(test.db.prepare<[], number>('SELECT 1').pluck().get()).toBe(1)
  })
})
