import type { RunId } from '@shared/model/ids'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrate } from './migrate'
import { migrations } from './migrations'
import { findNativeBinding } from './native-binding'
import { createRunEventStore } from './run-event-store'

const nativeBinding = findNativeBinding(process.env, undefined)

/** A database as an app of that format left it. */
function atFormat(format: number): Database.Database {
  const db = new Database(':memory:', nativeBinding ? { nativeBinding } : {})
  db.pragma('foreign_keys = ON')
  migrate(db, migrations.slice(0, format))
  return db
}

const schema = (db: Database.Database): string =>
  db
    .prepare<[], { sql: string }>(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%\\_search\\_%' ESCAPE '\\'
       ORDER BY type DESC, tbl_name, name`,
    )
    .all()
    .map(({ sql }) => `${sql};\n`)
    .join('\n')

describe('the migrations', () => {
  it('are numbered without a gap', () => {
    expect(migrations.map(({ format }) => format)).toEqual(migrations.map((_, index) => index + 1))
  })

  it('lead to the schema that is checked in', async () => {
    await expect(schema(atFormat(migrations.length))).toMatchFileSnapshot('./schema.sql')
  })

  it('do nothing the second time', () => {
    const db = atFormat(migrations.length)
    const before = schema(db)
    migrate(db, migrations)
    expect(schema(db)).toBe(before)
  })

  it('hold every table to its types and to its foreign keys', () => {
    const db = atFormat(migrations.length)
    const loose = db
      .prepare<[], { name: string }>(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
      )
      .all()
    expect(loose).toEqual([])
    expect(() =>
      db.exec("INSERT INTO organizations (forge_id, slug, created_at) VALUES (99, 'x', 0)"),
    ).toThrow('FOREIGN KEY')
  })
})

describe('0002 local forge', () => {
  it('keeps what the first tables hold', () => {
    const db = atFormat(1)
    db.exec(`
      INSERT INTO forges VALUES (1, 'local', 'local', 'local:', NULL, '1', 'alfred', 5);
      INSERT INTO organizations VALUES (2, 1, 'harbour', 5);
      INSERT INTO projects VALUES (3, 2, 'pier', 'main', 0, 1, 5);
      INSERT INTO mailboxes (id, project_id, kind, iid, title, created_at, updated_at) VALUES (4, 3, 'issue', 1, 'Crates', 5, 6);
    `)
    const rows = () =>
      ['forges', 'organizations', 'projects', 'mailboxes'].map((table) =>
        db.prepare(`SELECT * FROM ${table}`).all(),
      )
    const before = rows()
    migrate(db, migrations.slice(0, 2))
    expect(rows()).toEqual(before)
    expect(db.pragma('user_version', { simple: true })).toBe(2)
    db.exec("INSERT INTO local_labels (project_id, name, color) VALUES (3, 'status::done', '00ff00')")
    db.exec('DELETE FROM projects WHERE id = 3')
    expect(db.prepare('SELECT count(*) FROM local_labels').pluck().get()).toBe(0)
  })
})

describe('0003 cleanup', () => {
  it('lets what is over already count from its last change', () => {
    const db = atFormat(2)
    db.exec(`
      INSERT INTO forges VALUES (1, 'local', 'local', 'local:', NULL, '1', 'alfred', 5);
      INSERT INTO organizations VALUES (2, 1, 'harbour', 5);
      INSERT INTO projects VALUES (3, 2, 'pier', 'main', 0, 1, 5);
      INSERT INTO mailboxes (id, project_id, kind, iid, title, status, is_open, created_at, updated_at) VALUES
        (4, 3, 'issue', 1, 'open', 'in_review', 1, 5, 6),
        (5, 3, 'issue', 2, 'closed', 'blocked', 0, 5, 7),
        (6, 3, 'issue', 3, 'merged', 'done', 1, 5, 8),
        (7, 3, 'issue', 4, 'new', NULL, 1, 5, 9);
    `)
    migrate(db, migrations.slice(0, 3))
    const rows = db.prepare('SELECT id, closed_at, cleanup_held_at FROM mailboxes ORDER BY id').raw().all()
    expect(rows).toEqual([
      [4, null, null],
      [5, 7, null],
      [6, 8, null],
      [7, null, null],
    ])
  })
})

describe('0004 what a start was asked', () => {
  it('tells of earlier starts what their session asked for, and which of them go on', () => {
    const db = atFormat(3)
    db.exec(`
      INSERT INTO forges VALUES (1, 'local', 'local', 'local:', NULL, '1', 'alfred', 5);
      INSERT INTO organizations VALUES (2, 1, 'harbour', 5);
      INSERT INTO projects VALUES (3, 2, 'pier', 'main', 0, 1, 5);
      INSERT INTO mailboxes (id, project_id, kind, iid, title, created_at, updated_at) VALUES
        (4, 3, 'issue', 1, 'Crates', 5, 6), (5, 3, 'issue', 2, 'Ropes', 5, 6);
      INSERT INTO runs (id, uid, mailbox_id, phase, trigger, state, runner, adapter, created_at) VALUES
        (6, 'a', 4, 'analysis', 'assigned', 'running', 'container', 'demo', 7),
        (7, 'b', 5, 'analysis', 'assigned', 'queued', 'container', 'demo', 7);
      INSERT INTO run_attempts (id, run_id, number, started_at) VALUES (8, 6, 1, 8), (9, 7, 1, 8);
      INSERT INTO run_starts (id, attempt_id, number, kind, started_at, ended_at) VALUES
        (10, 8, 1, 'first', 9, 10), (11, 8, 2, 'fallback', 11, NULL), (12, 9, 1, 'first', 9, NULL);
      INSERT INTO llm_sessions (run_id, attempt_id, mailbox_id, adapter, session_name, mode, requested_session_id, created_at) VALUES
        (6, 8, 4, 'demo', 'agent/issue-1', 'resume', 'old-id', 8), (7, 9, 5, 'demo', 'agent/issue-2', 'fresh', NULL, 8);
    `)
    migrate(db, migrations.slice(0, 4))
    const starts = db.prepare('SELECT id, asked_session_id, ended_at FROM run_starts ORDER BY id').raw().all()
    expect(starts).toEqual([
      [10, 'old-id', 10],
      [11, null, null],
      [12, null, 9],
    ])
  })
})

const runWithEvent = `
  INSERT INTO forges VALUES (1, 'local', 'local', 'local:', NULL, '1', 'alfred', 5);
  INSERT INTO organizations VALUES (2, 1, 'harbour', 5);
  INSERT INTO projects VALUES (3, 2, 'pier', 'main', 0, 1, 5);
  INSERT INTO mailboxes (id, project_id, kind, iid, title, created_at, updated_at) VALUES (4, 3, 'issue', 1, 'Crates', 5, 6);
  INSERT INTO runs (id, uid, mailbox_id, phase, trigger, state, runner, adapter, created_at) VALUES
    (6, 'a', 4, 'analysis', 'assigned', 'running', 'container', 'demo', 7);
  INSERT INTO run_events (run_id, seq, at, kind, payload) VALUES (6, 1, 8, 'text', '{"text":"crates"}');
`

describe('0008 transcript search', () => {
  it('leaves the events of before to be taken up beside the runs', () => {
    const db = atFormat(7)
    db.exec(runWithEvent)
    migrate(db, migrations.slice(0, 8))
    expect(db.prepare('SELECT last_event_id FROM transcript_index').pluck().all()).toEqual([0])
    db.exec(
      "INSERT INTO transcript_search (rowid, text) VALUES (1, 'crates'); UPDATE transcript_index SET last_event_id = 1",
    )
    db.exec('DELETE FROM projects')
    expect(
      db
        .prepare("SELECT count(*) FROM transcript_search WHERE transcript_search MATCH 'crates'")
        .pluck()
        .get(),
    ).toBe(0)
    expect(db.prepare('SELECT last_event_id FROM transcript_index').pluck().all()).toEqual([0])
  })
})

describe('0009 places on forges', () => {
  it('lets a project be found where its forge has it, for as long as it is there', () => {
    const db = atFormat(8)
    db.exec(`
      INSERT INTO forges VALUES (1, 'gitea', 'git.example.org', 'https://git.example.org', NULL, '2', 'alfred-bot', 5);
      INSERT INTO organizations VALUES (2, 1, 'acme-shop', 5);
      INSERT INTO projects VALUES (3, 2, 'till', 'main', 0, 1, 5);
    `)
    migrate(db, migrations.slice(0, 9))
    db.exec("INSERT INTO forge_projects VALUES (3, 'Acme.Shop/Till', '17')")
    expect(() => db.exec("INSERT INTO forge_projects VALUES (4, 'Acme.Shop/Quay', '18')")).toThrow(
      'FOREIGN KEY',
    )
    db.exec('DELETE FROM forges')
    expect(db.prepare('SELECT count(*) FROM forge_projects').pluck().get()).toBe(0)
  })
})

describe('0010 texts beside payloads', () => {
  it('leaves the payloads of before whole', () => {
    const db = atFormat(9)
    db.exec(runWithEvent)
    migrate(db, migrations)
    const store = createRunEventStore(db)
    expect(store.list(6 as RunId, 0, 10)).toEqual([
      { runId: 6, seq: 1, at: 8, kind: 'text', payload: { text: 'crates' } },
    ])
  })
})

describe('0011 packed events', () => {
  it('packs none of those before, and lets packed ones go with their run', async () => {
    const db = atFormat(10)
    db.exec(runWithEvent)
    migrate(db, migrations)
    const store = createRunEventStore(db)
    expect(store.latestPacked()).toBe(0)
    const packed = await store.pack([{ at: 9, kind: 'text', payload: { text: 'ropes' } }])
    store.appendPacked(6 as RunId, packed)
    expect(store.list(6 as RunId, 0, 10).map(({ seq }) => seq)).toEqual([1, 2])
    db.exec('DELETE FROM runs')
    expect(store.latestPacked()).toBe(0)
  })
})
