import Database from 'better-sqlite3'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listBackups, newestBackup } from './backups'
import { toDatabaseFailure } from './database-errors'
import { appFormat, migrations } from './migrations'
import { findNativeBinding } from './native-binding'
import { openDatabase, type OpenDatabaseOptions } from './open-database'

const nativeBinding = findNativeBinding(process.env, undefined)
const options: OpenDatabaseOptions = {
  appVersion: '1.2.3',
  now: Date.UTC(2026, 10, 29, 12),
  nativeBinding,
  busyTimeoutMs: 0,
}
const future = {
  format: appFormat + 1,
  name: 'of-tomorrow',
  sql: 'CREATE TABLE tomorrow (id INTEGER PRIMARY KEY) STRICT',
}

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-db-'))
  file = join(folder, 'alfred.db')
})
afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true, force: true })
})

function open(more: Partial<OpenDatabaseOptions> = {}): Database.Database {
  const opened = openDatabase(file, { ...options, ...more })
  if (!opened.ok) throw new Error(opened.error.message)
  return opened.value.db
}

const sqlite = (): Database.Database =>
  new Database(file, { timeout: 0, ...(nativeBinding && { nativeBinding }) })

describe('opening', () => {
  it('makes a new database that only this user can read, without a backup', () => {
    const opened = openDatabase(file, options)
    if (!opened.ok) throw new Error(opened.error.message)
    const { db, backup } = opened.value
    expect(backup).toBeNull()
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
    expect(db.pragma('user_version', { simple: true })).toBe(appFormat)
    db.exec("INSERT INTO meta VALUES ('a', 'b')")
    for (const name of ['alfred.db', 'alfred.db-wal'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    db.close()
  })

  it('records which app wrote last', () => {
    open().close()
    const db = open({ appVersion: '1.3.0' })
    expect(db.prepare("SELECT value FROM meta WHERE key = 'written_by'").pluck().get()).toBe('1.3.0')
    db.close()
  })

  it('waits for nobody beyond its patience and says that the database is locked', () => {
    open().close()
    const other = sqlite()
    other.exec('BEGIN IMMEDIATE')
    expect(openDatabase(file, { ...options, appVersion: '2' })).toMatchObject({
      error: { type: 'database_locked' },
    })
    other.close()
  })

  it.each([
    ['is no database', () => writeFileSync(file, 'x'.repeat(4096))],
    ['lost its end', () => truncateSync(file, 8192)],
    [
      'has an overwritten page',
      () =>
        writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 100), Buffer.alloc(4000, 0xff)])),
    ],
  ])('says that a file is damaged when it %s', (_, damage) => {
    open().close()
    damage()
    expect(openDatabase(file, options)).toMatchObject({ ok: false, error: { type: 'database_damaged' } })
  })

  it('says that it cannot write where a folder is in the way or missing', () => {
    mkdirSync(file)
    expect(openDatabase(file, options)).toMatchObject({ error: { type: 'not_writable' } })
    expect(openDatabase(join(folder, 'absent', 'alfred.db'), options)).toMatchObject({
      error: { type: 'not_writable' },
    })
  })
})

describe('migrating', () => {
  it('copies the old database aside first', () => {
    const old = open({ migrations: migrations.slice(0, 1) })
    old.exec("INSERT INTO meta VALUES ('kept', 'yes')")
    old.close()
    const opened = openDatabase(file, options)
    if (!opened.ok) throw new Error(opened.error.message)
    opened.value.db.close()
    expect(opened.value.backup).toBe(join(folder, 'backups', '2026-11-29T12-00-00-000Z-format-1.db'))
    const backup = opened.value.backup ?? ''
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const db = new Database(backup, { readonly: true, ...(nativeBinding && { nativeBinding }) })
    expect(db.pragma('user_version', { simple: true })).toBe(1)
    expect(db.prepare("SELECT value FROM meta WHERE key = 'kept'").pluck().get()).toBe('yes')
    db.close()
  })

  it('finds the newest backup that a version reads', () => {
    expect(newestBackup(file)).toBeNull()
    mkdirSync(join(folder, 'backups'))
    const names = [
      '2026-01-01T00-00-00-000Z-format-3.db',
      '2026-02-01T00-00-00-000Z-format-9.db',
      '2026-03-01T00-00-00-000Z-mine.db',
    ]
    for (const name of names) writeFileSync(join(folder, 'backups', name), '')
    expect(newestBackup(file)).toBe(join(folder, 'backups', names[1] ?? ''))
    expect(newestBackup(file, 4)).toBe(join(folder, 'backups', names[0] ?? ''))
    expect(newestBackup(file, 2)).toBeNull()
  })

  it('keeps the five newest backups, and nothing that it did not make', () => {
    open({ migrations: migrations.slice(0, 1) }).close()
    copyFileSync(file, join(folder, 'old.db'))
    mkdirSync(join(folder, 'backups'))
    writeFileSync(join(folder, 'backups', 'mine.db'), '')
    for (let day = 1; day <= 7; day += 1) {
      copyFileSync(join(folder, 'old.db'), file)
      open({ now: Date.UTC(2026, 0, day) }).close()
    }
    expect(listBackups(join(folder, 'backups')).map((path) => path.slice(-36, -26))).toEqual(
      [7, 6, 5, 4, 3].map((day) => `2026-01-0${day}`),
    )
    expect(readdirSync(join(folder, 'backups'))).toContain('mine.db')
  })

  it('leaves the format before a step that fails', () => {
    open().close()
    const broken = { ...future, sql: `${future.sql}; CREATE TABLE meta (a)` }
    expect(() => openDatabase(file, { ...options, migrations: [...migrations, broken] })).toThrow(
      'already exists',
    )
    const db = open()
    expect(db.pragma('user_version', { simple: true })).toBe(appFormat)
    expect(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'tomorrow'").pluck().get()).toBe(0)
    db.close()
  })

  it('refuses a step that leaves rows without what they belong to', () => {
    open().close()
    const orphan = {
      ...future,
      sql: "INSERT INTO organizations (forge_id, slug, created_at) VALUES (99, 'x', 0)",
    }
    expect(() => openDatabase(file, { ...options, migrations: [...migrations, orphan] })).toThrow(
      'foreign key',
    )
  })
})

describe('a database of a newer app', () => {
  it('is refused with both formats and its writer, and not changed', () => {
    open({ migrations: [...migrations, future], appVersion: '9.9.9' }).close()
    const before = readFileSync(file)
    expect(openDatabase(file, options)).toEqual({
      ok: false,
      error: {
        type: 'database_newer',
        message: expect.any(String),
        dataFormat: appFormat + 1,
        appFormat,
        writtenBy: '9.9.9',
      },
    })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(folder).filter((name) => name.includes('backup'))).toEqual([])
  })

  it('is recognised when its new format lies in the write-ahead log only', () => {
    const db = open()
    db.pragma('wal_autocheckpoint = 0')
    db.exec(future.sql)
    db.pragma(`user_version = ${future.format}`)
    // As a crash leaves it: the log was never copied into the file.
    for (const name of ['alfred.db', 'alfred.db-wal'])
      copyFileSync(join(folder, name), join(folder, `crashed-${name}`))
    db.close()
    const crashed = join(folder, 'crashed-alfred.db')
    const before = readFileSync(crashed)
    expect(before.readUInt32BE(60)).toBe(appFormat)
    expect(openDatabase(crashed, options)).toMatchObject({
      error: { type: 'database_newer', dataFormat: future.format },
    })
    expect(readFileSync(crashed).equals(before)).toBe(true)
  })
})

describe('what SQLite throws', () => {
  it('is told as a full disk when no page is left', () => {
    const db = open()
    db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`)
    const fill = (): void => {
      for (let n = 0; n < 1000; n += 1)
        db.prepare('INSERT INTO meta VALUES (?, ?)').run(`k${n}`, 'x'.repeat(1000))
    }
    let thrown: unknown = null
    try {
      fill()
    } catch (error) {
      thrown = error
    }
    expect(toDatabaseFailure(thrown, file)).toMatchObject({ type: 'disk_full' })
    db.close()
  })

  it('is a defect when it is none of the known failures', () => {
    expect(toDatabaseFailure(Object.assign(new Error('x'), { code: 'SQLITE_ERROR' }), file)).toBeNull()
    expect(toDatabaseFailure(new TypeError('x'), file)).toBeNull()
  })
})
