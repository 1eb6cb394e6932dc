import Database from 'better-sqlite3'
import { renameSync, rmSync } from 'node:fs'
import type * as syncFiles from 'node:fs'
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import type * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findNativeBinding } from '../db/native-binding'
import { createOpencodeAdapter } from '../agents/opencode/opencode-adapter'
import { createHandMadeSessions } from './hand-made-sessions'

vi.mock('node:fs/promises', async (importActual) => {
  const actual = await importActual<typeof files>()
  return { ...actual, open: vi.fn<typeof files.open>(actual.open) }
})

vi.mock('node:fs', async (importActual) => {
  const actual = await importActual<typeof syncFiles>()
  return {
    ...actual,
    renameSync: vi.fn<typeof syncFiles.renameSync>(actual.renameSync),
    rmSync: vi.fn<typeof syncFiles.rmSync>(actual.rmSync),
  }
})

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

const look = (only: string | null = null) => sessions.find(adapter, home, only)
const found = async (only: string | null = null) => {
  const result = await look(only)
  if (!result.ok) throw new Error(result.error.message)
  return result.value.sessions
}
/** Why nothing could be looked at; null: it could. */
const problem = async () => {
  const result = await look()
  return result.ok ? null : result.error
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
        lacks: null,
      },
      {
        nativeId: id,
        title: 'The till',
        workedIn: '/home/me/shop',
        bytes: 29,
        savedAt: 1000,
        isTooLarge: false,
        lacks: null,
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

  describe('forked', () => {
    const forkId = `${id.slice(0, 16)}0123456789abcd`
    const [asked, answered] = ['msg_22e24f84400164Tt4VIIpmMjiU', 'msg_22e24fcb7001z8JVhqGsKiueys']
    const said = 'prt_22e25002e001QZ2wwX3T3xuOg2'
    const place = join('.local', 'share', 'opencode')
    const fork = async () => {
      const staged = await stage(id, forkId)
      if (!staged.ok) throw new Error(staged.error.message)
      return staged.value
    }
    const talk = (db: Database.Database): void =>
      void db.exec(`ALTER TABLE part ADD COLUMN message_id text;
        DELETE FROM message; DELETE FROM part;
        INSERT INTO message VALUES ('${asked}', '${id}', '{"role":"user"}'),
          ('${answered}', '${id}', '{"role":"assistant","parentID":"${asked}"}');
        INSERT INTO part VALUES ('${said}', '${id}', '{"text":"Done"}', '${answered}'),
          ('prt_22e25003e001QucN0CeKBKjsXf', '${id}', 'no JSON', '${answered}');`)

    it('are once more in the same database, with what was said under ids of its own, and the others as they were', async () => {
      write(talk).close()
      // An agent may have made anything there.
      await mkdir(`${file}-shm`)
      const before = await readdir(join(home, place))
      const staged = await fork()
      expect(staged.place(join(home, place))).toBeNull()
      await staged.discard()
      expect(await readdir(join(home, place))).toEqual(before.filter((name) => name === 'opencode.db'))
      const db = open(file)
      const all = (sql: string) => db.prepare(sql).all()
      expect(all("SELECT id, title FROM session WHERE project_id = 'global' AND parent_id IS NULL")).toEqual([
        { id, title: 'The till' },
        { id: forkId, title: 'The till (fork)' },
      ])
      expect(all('SELECT count(*) AS n FROM session')).toEqual([{ n: 4 }])
      const renamed = (old: string): string => `${old.slice(0, 16)}456789abcd${old.slice(-4)}`
      expect(all(`SELECT id, data FROM message WHERE session_id = '${forkId}' ORDER BY id`)).toEqual([
        { id: renamed(asked), data: '{"role":"user"}' },
        { id: renamed(answered), data: `{"role":"assistant","parentID":"${renamed(asked)}"}` },
      ])
      expect(all(`SELECT id, message_id, data FROM part WHERE session_id = '${forkId}' ORDER BY id`)).toEqual(
        [
          { id: renamed(said), message_id: renamed(answered), data: '{"text":"Done"}' },
          expect.objectContaining({ message_id: renamed(answered), data: 'no JSON' }),
        ],
      )
      expect(all(`SELECT count(*) AS n FROM message WHERE session_id = '${id}'`)).toEqual([{ n: 2 }])
      db.close()
    })

    it('are so whatever an agent made where a log goes', async () => {
      write(talk).close()
      for (const end of ['-wal', '-shm']) await mkdir(join(`${file}${end}`, 'full'), { recursive: true })
      const staged = await fork()
      expect(staged.place(join(home, place))).toBeNull()
      const forked = open(file)
      expect(forked.prepare(`SELECT title FROM session WHERE id = '${forkId}'`).get()).toEqual({
        title: 'The till (fork)',
      })
      forked.close()
    })

    it('leave one whole database in place wherever the engine dies while they go there', async () => {
      const actual = await vi.importActual<typeof syncFiles>('node:fs')
      /** What lies there when the engine has died before that step; null: it came to the end. */
      const titlesAfter = async (steps: number) => {
        await leftByCli()
        const staged = await fork()
        let left = steps
        const step = (): void => {
          if (left === 0) throw new Error('died')
          left -= 1
        }
        vi.mocked(renameSync).mockImplementation((...how) => (step(), actual.renameSync(...how)))
        vi.mocked(rmSync).mockImplementation((...how) => (step(), actual.rmSync(...how)))
        try {
          staged.place(join(home, place))
        } catch {
          return await titles()
        } finally {
          vi.mocked(renameSync).mockImplementation(actual.renameSync)
          vi.mocked(rmSync).mockImplementation(actual.rmSync)
          await staged.discard()
        }
        expect(await titles()).toEqual(['Another', 'In the log', 'In the log (fork)', 'Of an agent'])
        return null
      }
      const whole = ['Another', 'In the log', 'Of an agent']
      const seen: unknown[] = []
      for (let steps = 0; ; steps += 1) {
        const found = await titlesAfter(steps)
        if (found === null) break
        seen.push(found)
      }
      expect(seen.length).toBeGreaterThan(1)
      expect(seen).toEqual(seen.map(() => whole))

      /** As of a killed CLI: some of it in the database, the rest in the log alone. */
      async function leftByCli(): Promise<void> {
        for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
        const db = write((opened) => {
          talk(opened)
          opened.pragma('wal_checkpoint(PASSIVE)')
          opened.exec(`UPDATE session SET title = 'In the log' WHERE id = '${id}'; DROP TABLE credential;`)
        })
        for (const end of ['', '-wal']) await copyFile(`${file}${end}`, join(folder, `kept${end}`))
        db.close()
        for (const end of ['', '-wal']) await copyFile(join(folder, `kept${end}`), `${file}${end}`)
      }
      async function titles(): Promise<unknown> {
        const db = open(file)
        try {
          expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
          return db.prepare('SELECT title FROM session ORDER BY title').pluck().all()
        } finally {
          db.close()
        }
      }
    })

    it('are not where somebody wrote to the database meanwhile, which stays as it is', async () => {
      const db = write(talk)
      const staged = await fork()
      db.exec(`UPDATE session SET title = 'Changed'`)
      expect(staged.place(join(home, place))).toContain('The memory changed while it was copied')
      expect(db.prepare('SELECT DISTINCT title FROM session').all()).toEqual([{ title: 'Changed' }])
      db.close()
    })
  })

  it('are not copied into a state that has a database', async () => {
    write().close()
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
    const told = {
      type: 'unreadable',
      message: `${file} holds no sessions in a way that Alfred knows: it is of another version of opencode. Begin the session anew with a version that Alfred resumes.`,
    }
    expect(await problem()).toEqual(told)
    expect(await stage()).toEqual({ ok: false, error: told })
    expect(await readdir(join(folder, 'staging'))).toEqual([])
  })

  it('are not copied when they are larger than a session may be', async () => {
    write((db) => {
      const largest = db.prepare('SELECT * FROM part LIMIT 1').get() as { id: string }
      db.prepare('UPDATE part SET data = hex(zeroblob(50000001)) WHERE id = ?').run(largest.id)
    }).close()
    expect(await found(id)).toMatchObject([{ isTooLarge: true }])
    expect(await stage()).toEqual({
      ok: false,
      error: { type: 'too_large', message: 'The session has 100 MB; at most 100 MB are copied.' },
    })
    expect(await readdir(join(folder, 'staging'))).toEqual([])
  })

  it('are found by id among more than are listed', async () => {
    const nameOf = (number: number): string => `ses_${String(number).padStart(12, '0')}ez8Yjt5yXVQwzB`
    write((db) => {
      const add = db.prepare(`INSERT INTO session VALUES (?, 'global', NULL, '/home/me', 'Many', ?)`)
      for (let number = 0; number < 501; number += 1) add.run(nameOf(number), 5000 + number)
    }).close()
    expect(await look()).toMatchObject({ ok: true, value: { isCut: true } })
    const listed = (await found()).map(({ nativeId }) => nativeId)
    expect(listed).toHaveLength(500)
    expect(listed).not.toContain(id)
    expect(await found(id)).toMatchObject([{ nativeId: id, title: 'The till', bytes: 29 }])
    expect(await found('ses_0')).toEqual([])
  })

  it('are worked on by a thread of their own: whoever asked has little to do', async () => {
    write((db) => {
      const add = db.prepare(`INSERT INTO part VALUES (?, '${id}', ?)`)
      db.transaction(() => {
        for (let number = 0; number < 60_000; number += 1) add.run(`x${number}`, 'y'.repeat(300))
      })()
    }).close()
    const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
    await found()
    const staged = await stage()
    const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system
    expect(sum(process.threadCpuUsage(own)) / sum(process.cpuUsage(all))).toBeLessThan(0.5)
    expect(staged).toMatchObject({ ok: true })
  })

  it('that cannot be looked at are not said to be none: what is wrong and what to do is told', async () => {
    await writeFile(file, 'garbage')
    const damaged = {
      type: 'unreadable',
      message: `The database ${file} is damaged, or changed while it was copied. Quit opencode and look again.`,
    }
    expect(await problem()).toEqual(damaged)
    expect(await stage()).toEqual({ ok: false, error: damaged })
    await truncate(file, 1_000_000_001)
    const large = {
      type: 'too_large',
      message: `The database ${file} has 1.0 GB, and at most 1.0 GB are copied. Remove old sessions with "opencode session delete ID", and then run "opencode db VACUUM". Then look again.`,
    }
    expect(await problem()).toEqual(large)
    expect(await stage()).toEqual({ ok: false, error: large })
    expect(await readdir(join(folder, 'staging'))).toEqual([])
  })

  it('of which no copy can be made are told with what the system says', async () => {
    write().close()
    await writeFile(join(folder, 'staging'), 'in the way')
    expect(await problem()).toMatchObject({
      type: 'unreadable',
      message: expect.stringMatching(/could not be copied \((?:ENOTDIR|EEXIST)\)\. See that/) as string,
    })
  })

  it('are not said to be damaged where they cannot be opened at all', async () => {
    write().close()
    const elsewhere = createHandMadeSessions({
      stagingFolder: join(folder, 'staging'),
      nativeBinding: '/no/such/binding.node',
    })
    expect(await elsewhere.find(adapter, home, null)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('could not be copied (MODULE_NOT_FOUND)') as string },
    })
    expect(await readdir(join(folder, 'staging'))).toEqual([])
  })

  it('leave no copy behind, whatever becomes of it', async () => {
    write().close()
    const staging = join(folder, 'staging')
    // The CLI ends in the midst of the copying, and takes its log with it.
    const log = `${file}-wal`
    await writeFile(log, 'a log')
    const actual = await vi.importActual<typeof files>('node:fs/promises')
    vi.mocked(openFile).mockImplementation(async (path, ...how) => {
      if (String(path).endsWith('copy.db')) await rm(log)
      return actual.open(path, ...how)
    })
    expect(await problem()).toMatchObject({
      type: 'unreadable',
      message: expect.stringContaining('could not be copied (it is not there)') as string,
    })
    vi.mocked(openFile).mockImplementation(actual.open)
    expect(await readdir(staging)).toEqual([])
    await writeFile(file, 'garbage')
    expect(await stage()).toMatchObject({ ok: false })
    expect(await readdir(staging)).toEqual([])
  })

  it('are left alone where the file is a link', async () => {
    write().close()
    const real = join(home, 'real.db')
    await rm(real, { force: true })
    await writeFile(real, await readFile(file))
    await rm(file)
    await symlink(real, file)
    expect(await found()).toEqual([])
  })

  it('are not copied where the file has a second name, which may be that of a file from elsewhere', async () => {
    write().close()
    await link(file, join(home, 'second.db'))
    expect(await problem()).toMatchObject({ type: 'unreadable' })
    expect(await readdir(join(folder, 'staging')).catch(() => [])).toEqual([])
  })
})
