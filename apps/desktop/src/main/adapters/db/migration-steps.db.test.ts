import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrate } from './migrate'
import { migrations } from './migrations'
import { findNativeBinding } from './native-binding'

/*
 * Every migration by itself, on a database in which an app of the format before has worked. What some of them do
 * beyond keeping the rows is in migrations.db.test.ts.
 */

const nativeBinding = findNativeBinding(process.env, undefined)

/** What the first format holds of an issue that was analysed and waits for a person, and of one that is being analysed. */
const worked = `
  INSERT INTO forges VALUES (1, 'local', 'local', 'local:', NULL, '1', 'alfred', 5);
  INSERT INTO organizations VALUES (2, 1, 'harbour', 5);
  INSERT INTO projects VALUES (3, 2, 'pier', 'main', 0, 1, 5);
  INSERT INTO settings VALUES ('project', 3, 'AGENT_ADAPTER', '"demo"', 5);
  INSERT INTO mailboxes (id, project_id, kind, iid, title, status, needs_you, created_at, updated_at) VALUES
    (4, 3, 'issue', 1, 'Crates', 'waiting_validation', 'validate_plan', 5, 6),
    (5, 3, 'issue', 2, 'Ropes', 'functional_analysis', NULL, 5, 6);
  INSERT INTO runs (id, uid, mailbox_id, phase, trigger, state, outcome, runner, adapter, created_at) VALUES
    (6, 'a', 4, 'analysis', 'assigned', 'ended', 'succeeded', 'container', 'demo', 7),
    (7, 'b', 5, 'analysis', 'assigned', 'running', NULL, 'container', 'demo', 7);
  INSERT INTO run_attempts (id, run_id, number, started_at) VALUES (8, 6, 1, 8), (9, 7, 1, 8);
  INSERT INTO run_starts (id, attempt_id, number, kind, started_at, ended_at) VALUES
    (10, 8, 1, 'first', 9, 10), (11, 9, 1, 'first', 9, NULL);
  INSERT INTO llm_sessions (id, run_id, attempt_id, mailbox_id, adapter, session_name, native_session_id, mode, created_at) VALUES
    (12, 6, 8, 4, 'demo', 'agent/issue-1', 'id-1', 'fresh', 8), (13, 7, 9, 5, 'demo', 'agent/issue-2', 'id-2', 'fresh', 8);
  INSERT INTO run_events (run_id, seq, at, kind, payload) VALUES (6, 1, 8, 'text', '{"text":"crates"}');
`

/** A database that began with the first format, was worked in, and has come to this one. */
function workedAt(format: number): Database.Database {
  const db = new Database(':memory:', nativeBinding ? { nativeBinding } : {})
  db.pragma('foreign_keys = ON')
  migrate(db, migrations.slice(0, 1))
  db.exec(worked)
  migrate(db, migrations.slice(0, format))
  return db
}

/** The rows of all tables that hold any, without those that a search keeps for itself. */
function rowsOf(db: Database.Database): ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]> {
  const tables = db
    .prepare<[], { name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%search%'",
    )
    .all()
  const rows = tables.map(
    ({ name }) => [name, db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${name}`).all()] as const,
  )
  return new Map(rows.filter(([, found]) => found.length > 0))
}

describe.each(migrations.slice(1).map(({ format }) => format))('the step to format %i', (format) => {
  it('keeps every row and every value that it does not name', () => {
    const db = workedAt(format - 1)
    const before = rowsOf(db)
    migrate(db, migrations.slice(0, format))
    const after = rowsOf(db)
    for (const [table, rows] of before) {
      const kept = rows.map((row) => expect.objectContaining(row) as unknown)
      expect([table, after.get(table)]).toEqual([table, kept])
    }
    expect([
      db.pragma('user_version', { simple: true }),
      db.pragma('integrity_check', { simple: true }),
      db.pragma('foreign_key_check'),
    ]).toEqual([format, 'ok', []])
  })

  it('leads an old database to the same tables as a new one', () => {
    const fresh = new Database(':memory:', nativeBinding ? { nativeBinding } : {})
    migrate(fresh, migrations.slice(0, format))
    const schema = (db: Database.Database) =>
      db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
    expect(schema(workedAt(format))).toEqual(schema(fresh))
  })
})

describe('0005 memories by adapter', () => {
  it('lets the memories of an issue be read from the index', () => {
    expect(
      planOf(
        workedAt(5),
        'SELECT adapter, native_session_id FROM llm_sessions WHERE mailbox_id = 4 AND native_session_id IS NOT NULL ORDER BY adapter, native_session_id',
      ),
    ).toContain('llm_sessions_by_memory')
  })
})

describe('0006 after a crash', () => {
  it('takes what waits for a person already as told, and a run that ended as settled', () => {
    const db = workedAt(6)
    expect(db.prepare('SELECT id, needs_you_told FROM mailboxes ORDER BY id').raw().all()).toEqual([
      [4, 'validate_plan'],
      [5, null],
    ])
    expect(
      db.prepare('SELECT id, successor, is_unsettled, cut_offs FROM runs ORDER BY id').raw().all(),
    ).toEqual([
      [6, null, 0, 0],
      [7, null, 0, 0],
    ])
  })
})

describe('0007 totals of a mailbox', () => {
  it('lets the totals of an issue be read from the index alone', () => {
    expect(
      planOf(
        workedAt(7),
        'SELECT sum(cost_usd), sum(input_tokens), sum(output_tokens) FROM llm_sessions WHERE mailbox_id = 4',
      ),
    ).toContain('COVERING INDEX llm_sessions_totals')
  })
})

const planOf = (db: Database.Database, sql: string): string =>
  db
    .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => detail)
    .join('\n')

describe('0013 figures of starts', () => {
  it('takes what a session used as that of its last start, and as spent when it ended', () => {
    const db = workedAt(12)
    const hour = 3_600_000
    db.exec(`
      INSERT INTO run_starts (id, attempt_id, number, kind, started_at) VALUES (14, 8, 2, 'fallback', 9), (15, 8, 3, 'collect', 9);
      UPDATE llm_sessions SET input_tokens = 7, cost_usd = 0.5, created_at = ${hour}, ended_at = ${2 * hour + 1} WHERE id = 12;
    `)
    migrate(db, migrations.slice(0, 13))
    expect(
      db
        .prepare('SELECT session_id, start, native_session_id, input_tokens, cost_usd FROM session_figures')
        .raw()
        .all(),
    ).toEqual([[12, 2, 'id-1', 7, 0.5]])
    expect(db.prepare('SELECT * FROM spendings').raw().all()).toEqual([[12, 2 * hour, 0.5]])
  })
})

describe('0015 host runner agreed', () => {
  it('lets each project ask again, and touches nothing else', () => {
    const db = workedAt(14)
    db.exec(`
      INSERT INTO settings (scope, scope_id, key, value, updated_at) VALUES
        ('app', 0, 'AGENT_RUNNER', '"container"', 1), ('project', 3, 'AGENT_MODEL', '"host"', 1),
        ('project', 3, 'AGENT_RUNNER', '"host"', 1), ('project', 4, 'AGENT_RUNNER', '"container"', 1);
    `)
    migrate(db, migrations.slice(0, 15))
    expect(db.prepare('SELECT scope, scope_id, key, value FROM settings').raw().all()).toEqual([
      ['app', 0, 'AGENT_RUNNER', '"container"'],
      ['project', 3, 'AGENT_ADAPTER', '"demo"'],
      ['project', 3, 'AGENT_MODEL', '"host"'],
      ['project', 4, 'AGENT_RUNNER', '"container"'],
    ])
  })
})

describe('0017 agreed settings', () => {
  it('takes the host runner as agreed to, which was asked since, and login files as not', () => {
    const db = workedAt(16)
    db.exec(`
      INSERT INTO settings (scope, scope_id, key, value, updated_at) VALUES
        ('project', 3, 'AGENT_RUNNER', '"host"', 8), ('project', 4, 'AGENT_RUNNER', '"container"', 8),
        ('app', 0, 'AGENT_CREDENTIAL_MOUNTS', '["codex=/h/a:/home/agent/a"]', 8);
    `)
    migrate(db, migrations.slice(0, 17))
    expect(db.prepare('SELECT scope, scope_id, key, value, agreed_at FROM settings').raw().all()).toEqual([
      ['app', 0, 'AGENT_CREDENTIAL_MOUNTS', '["codex=/h/a:/home/agent/a"]', null],
      ['project', 3, 'AGENT_ADAPTER', '"demo"', null],
      ['project', 3, 'AGENT_RUNNER', '"host"', 8],
      ['project', 4, 'AGENT_RUNNER', '"container"', null],
    ])
  })
})
