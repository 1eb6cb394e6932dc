import Database from 'better-sqlite3'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findNativeBinding } from '../db/native-binding'
import { createOpencodeAdapter } from '../agents/opencode/opencode-adapter'
import { createHandMadeSessions } from './hand-made-sessions'

const nativeBinding = findNativeBinding(process.env, undefined)
const adapter = createOpencodeAdapter()
const id = 'ses_dd46b5ca5ffez8Yjt5yXVQwzBP'
const otherId = 'ses_aa46b5ca5ffez8Yjt5yXVQwzBP'
const user = { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000 }

let folder: string
let home: string
let state: string
let file: string
const open = (path: string) => new Database(path, nativeBinding === undefined ? {} : { nativeBinding })
let sessions: ReturnType<typeof createHandMadeSessions>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-database-'))
  home = join(folder, 'home')
  state = join(folder, 'state')
  file = join(home, '.local', 'share', 'opencode', 'opencode.db')
  await mkdir(join(file, '..'), { recursive: true })
  await mkdir(state)
  sessions = createHandMadeSessions({ stagingFolder: join(folder, 'staging'), nativeBinding })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** As OpenCode does, with nearly everything in the write-ahead log; left open, as by a CLI that still works. */
function write(change: (db: Database.Database) => void = () => undefined): Database.Database {
  const db = open(file)
  db.pragma('journal_mode = WAL')
  db.pragma('wal_autocheckpoint = 0')
  db.exec(`
    CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL);
    CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
      title text NOT NULL, time_updated integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, session_id text NOT NULL, data text NOT NULL);
    CREATE TABLE credential (id text PRIMARY KEY, value text);
    INSERT INTO project VALUES ('global', '/home/me/shop'), ('second', '/home/me/till');
    INSERT INTO session VALUES ('${id}', 'global', NULL, '/home/me/shop', 'The till', 1000),
      ('${otherId}', 'second', NULL, '/home/me/till', 'Another', 2000),
      ('ses_bb46b5ca5ffez8Yjt5yXVQwzBP', 'global', '${id}', '/home/me/shop', 'Of an agent', 3000);
    INSERT INTO message VALUES ('m1', '${id}', '{"said":"Fix"}'), ('m2', '${otherId}', 'private words');
    INSERT INTO part VALUES ('p1', '${id}', '{"text":"Done"}');
    INSERT INTO credential VALUES ('c1', 'secret token');`)
  change(db)
  return db
}

const found = async () => {
  const result = await sessions.find(adapter, home)
  return result.ok ? result.value.sessions : []
}
const stage = (fromId = id, toId = fromId) => sessions.stage({ adapter, folder: home, fromId, toId, user })

describe('sessions in a database', () => {
  it('are told with title, folder, size and age, the newest first; the database is left as it is', async () => {
    const db = write()
    expect(await found()).toEqual([
      {
        nativeId: otherId,
        title: 'Another',
        workedIn: '/home/me/till',
        bytes: 13,
        savedAt: 2000,
        isTooLarge: false,
      },
      {
        nativeId: id,
        title: 'The till',
        workedIn: '/home/me/shop',
        bytes: 29,
        savedAt: 1000,
        isTooLarge: false,
      },
    ])
    expect((await readdir(join(file, '..'))).toSorted()).toEqual([
      'opencode.db',
      'opencode.db-shm',
      'opencode.db-wal',
    ])
    expect(await readdir(join(folder, 'staging'))).toEqual([])
    db.close()
  })

  it('are copied one by one, as of /workspace, without the others and without any login, deleted ones included', async () => {
    const db = write((opened) =>
      opened.exec(`DELETE FROM credential; INSERT INTO credential VALUES ('c2', 'other token')`),
    )
    const staged = await stage()
    db.close()
    if (!staged.ok) throw new Error(staged.error.message)
    expect(staged.value).toMatchObject({ title: 'The till', recordsLeftOut: 0 })
    expect(staged.value.place(state)).toBeNull()
    await staged.value.discard()
    expect(await readdir(state)).toEqual(['opencode.db'])
    expect(await readdir(join(folder, 'staging'))).toEqual([])
    const bytes = await readFile(join(state, 'opencode.db'), 'latin1')
    expect(bytes).not.toMatch(/token|private words|\/home\/me/)
    const copy = open(join(state, 'opencode.db'))
    expect(copy.prepare('SELECT id, directory FROM session').all()).toEqual([{ id, directory: '/workspace' }])
    expect(copy.prepare('SELECT id, worktree FROM project').all()).toEqual([
      { id: 'global', worktree: '/workspace' },
    ])
    expect(copy.prepare('SELECT count(*) AS n FROM part').get()).toEqual({ n: 1 })
    copy.close()
  })

  it('are not copied into a state that has a database, nor under another id', async () => {
    write().close()
    expect(await stage(id, otherId)).toMatchObject({ error: { type: 'gone' } })
    await writeFile(join(state, 'opencode.db-wal'), '')
    const staged = await stage()
    if (!staged.ok) throw new Error(staged.error.message)
    expect(staged.value.place(state)).toContain('has a memory of this agent already')
    await staged.value.discard()
    expect(await readdir(state)).toEqual(['opencode.db-wal'])
  })

  it.each([
    [
      'a trigger',
      (db: Database.Database) => db.exec('CREATE TRIGGER t AFTER DELETE ON part BEGIN SELECT 1; END'),
    ],
    ['a view', (db: Database.Database) => db.exec('CREATE VIEW v AS SELECT 1')],
    ['a virtual table', (db: Database.Database) => db.exec('CREATE VIRTUAL TABLE x USING fts5(a)')],
    [
      'other columns',
      (db: Database.Database) => db.exec('ALTER TABLE session RENAME time_updated TO changed'),
    ],
  ])('are left alone where the database has %s', async (_what, change) => {
    write((db) => void change(db)).close()
    expect(await found()).toEqual([])
    expect(await stage()).toMatchObject({ error: { type: 'unreadable' } })
    expect(await readdir(join(folder, 'staging'))).toEqual([])
  })

  it('are left alone where the file is no database, or a link to one', async () => {
    await writeFile(file, 'garbage')
    expect(await found()).toEqual([])
    await rm(file)
    write().close()
    const real = join(home, 'real.db')
    await rm(real, { force: true })
    await writeFile(real, await readFile(file))
    await rm(file)
    await symlink(real, file)
    expect(await found()).toEqual([])
  })
})
