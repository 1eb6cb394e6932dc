import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrate } from './migrate'
import { migrations } from './migrations'
import { findNativeBinding } from './native-binding'

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
