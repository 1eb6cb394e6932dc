import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import { seedEndedRun, seedMailbox } from '../../../../test/fakes/seed-mailbox'
import { createStore } from './create-store'
import { isSuspect, markSuspect } from './integrity'
import { findNativeBinding } from './native-binding'
import { openDatabase } from './open-database'

/*
 * Whatever happens to the bytes of the database file: it is whole when it opens, or it is told that it is not.
 */

const nativeBinding = findNativeBinding(process.env, undefined)
const options = { appVersion: '0.0.0-test', now: 0, nativeBinding, busyTimeoutMs: 0 }

let folder: string
let whole: string
let file: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-damage-'))
  whole = join(folder, 'whole.db')
  file = join(folder, 'used', 'alfred.db')
  mkdirSync(join(folder, 'used', 'runs', 'one'), { recursive: true })
  const opened = openDatabase(whole, options)
  if (!opened.ok) throw new Error(opened.error.message)
  const store = createStore(opened.value.db, createSystemRandomness())
  for (let iid = 1; iid <= 30; iid += 1) {
    const session = seedEndedRun(store, seedMailbox(store, iid), { nativeSessionId: `id-${iid}` })
    const events = Array.from(
      { length: 20 },
      (_, at) => ({ at, kind: 'text', payload: { text: `line ${at}` } }) as const,
    )
    store.events.append(session.runId, events)
  }
  store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => restoreWhole())

function restoreWhole(): void {
  for (const suffix of ['-wal', '-shm', '.suspect']) rmSync(`${file}${suffix}`, { force: true })
  copyFileSync(whole, file)
}

type Seen =
  | { readonly type: 'opened'; readonly rows: string }
  | { readonly type: string; readonly rows?: undefined }

/** Every row of every table, as the app would read it. */
function look(): Seen {
  let opened
  try {
    opened = openDatabase(file, options)
  } catch (error) {
    return { type: error instanceof Error ? 'thrown' : 'unknown' }
  }
  if (!opened.ok) return { type: opened.error.type }
  const { db } = opened.value
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    return { type: 'opened', rows: rowCounts(db) }
  } finally {
    db.close()
  }
}

const rowCounts = (db: Database.Database): string =>
  ['runs', 'llm_sessions', 'mailboxes', 'run_events', 'projects']
    .map((table) => `${table} ${db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number}`)
    .join()

describe('a database file that was changed from outside', () => {
  const told = ['database_damaged', 'database_newer', 'not_writable', 'thrown']

  it('is whole when it opens, or is told to be damaged, whichever bit is flipped', () => {
    const bytes = readFileSync(whole)
    const before = look()
    expect(before.type).toBe('opened')
    fc.assert(
      fc.property(
        fc.oneof(fc.nat({ max: 99 }), fc.nat({ max: bytes.length - 1 })),
        fc.nat({ max: 7 }),
        (offset, bit) => {
          restoreWhole()
          const flipped = Buffer.from(bytes)
          flipped[offset] = (flipped[offset] ?? 0) ^ (1 << bit)
          writeFileSync(file, flipped)
          const seen = look()
          if (seen.type === 'opened') expect(seen.rows).toBe(before.rows)
          else expect(told).toContain(seen.type)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is told to be damaged wherever it was cut off, also to nothing', () => {
    const { length } = readFileSync(whole)
    fc.assert(
      fc.property(fc.oneof(fc.nat({ max: 120 }), fc.nat({ max: length - 1 })), (size) => {
        restoreWhole()
        truncateSync(file, size)
        expect(look().type).toBe('database_damaged')
      }),
      {
        numRuns: 80,
        examples: [[0], [1], [2], [99], [100], [511], [512], [4095], [4096], [length - 1], [length - 6]],
      },
    )
  })

  it('is told to be lost when it is gone and its run folders are not; nothing takes its place', () => {
    rmSync(file)
    expect(look().type).toBe('database_damaged')
    expect(existsSync(file)).toBe(false)
  })

  it('is left as it was when it is refused', () => {
    const bytes = readFileSync(whole)
    bytes.fill(0xff, 4096 * 3, 4096 * 4)
    writeFileSync(file, bytes)
    const digest = (): string => createHash('sha256').update(readFileSync(file)).digest('hex')
    const before = digest()
    expect(look().type).toBe('database_damaged')
    expect(digest()).toBe(before)
  })
})

describe('a database that is too large to be checked at every start', () => {
  const damageLast = (): void => {
    const db = new Database(file, nativeBinding ? { nativeBinding } : {})
    db.exec('CREATE TABLE ballast (bytes BLOB)')
    db.prepare('INSERT INTO ballast VALUES (zeroblob(20000000))').run()
    const root = db
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'llm_sessions'")
      .pluck()
      .get() as number
    db.close()
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4096 * (root - 1), 4096 * root)
    writeFileSync(file, bytes)
  }

  it('is checked when damage was met while it was in use', () => {
    damageLast()
    const opened = openDatabase(file, options)
    expect(opened.ok).toBe(true)
    if (opened.ok) opened.value.db.close()
    markSuspect(file, 'database disk image is malformed')
    expect(look().type).toBe('database_damaged')
    expect(isSuspect(file)).toBe(true)
  })

  it('is in use again when the check finds nothing', () => {
    markSuspect(file, 'database disk image is malformed')
    expect(look().type).toBe('opened')
    expect(isSuspect(file)).toBe(false)
  })
})
