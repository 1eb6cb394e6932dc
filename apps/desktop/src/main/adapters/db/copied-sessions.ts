import { containerPaths } from '@main/core/sandbox/container-paths'
import type { CopiedDatabase } from './copied-database'

/*
 * Sessions that are rows of an SQLite database, as OpenCode keeps them.
 */

/** Tables that a session is made of, with the column that names it; null: of the database itself, kept whole. */
const sessionTables: Readonly<Record<string, string | null>> = {
  migration: null,
  data_migration: null,
  project: null,
  session: 'id',
  message: 'session_id',
  part: 'session_id',
  todo: 'session_id',
  session_message: 'session_id',
  session_input: 'session_id',
  session_context_epoch: 'session_id',
  event: 'aggregate_id',
  event_sequence: 'aggregate_id',
}

export interface SessionRow {
  readonly id: string
  readonly title: string | null
  readonly directory: string | null
  /** Epoch ms. */
  readonly savedAt: number
  /** Of what was said in it. */
  readonly bytes: number
}

export interface SessionDatabase {
  /** The newest first, at most `limit`; with `id` that one alone. What an agent asked another one is left out. */
  list(limit: number, id: string | null): Promise<readonly SessionRow[]>
  /**
   * Writes a database that holds this session alone, as one of /workspace: no other session, and none of the logins
   * that the CLI keeps beside them, not even as what was deleted. The database is good for nothing afterwards.
   */
  writeAlone(id: string, target: string): Promise<void>
  /** Writes a database that holds everything, and this session once more under another id. The same goes for it. */
  writeForked(id: string, toId: string, target: string): Promise<void>
}

/** What of a session its fork has too, each row under an id of its own where it has one. */
const forkedTables = ['message', 'part', 'todo', 'session_message'] as const

/** null: there are no sessions in it in the way that is known, or its schema holds more than tables. */
export async function readSessions(db: CopiedDatabase): Promise<SessionDatabase | null> {
  // Views and triggers would run what somebody else wrote.
  const [others] = await db.ask(
    `SELECT count(*) AS n FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'`,
  )
  const tables = await namesOf(
    db,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  if (others?.['n'] !== 0 || !tables.includes('session')) return null
  const columns = await namesOf(db, `SELECT name FROM pragma_table_info('session')`)
  if (!['id', 'title', 'directory', 'time_updated', 'parent_id'].every((name) => columns.includes(name)))
    return null
  return {
    async list(limit, id) {
      const rows = await db.ask(
        `SELECT id, substr(title, 1, 2000) AS title, substr(directory, 1, 4096) AS directory,
           time_updated AS savedAt, ${bytesOfSession(tables)} AS bytes
         FROM session WHERE parent_id IS NULL AND (? IS NULL OR id = ?) ORDER BY time_updated DESC LIMIT ?`,
        id,
        id,
        limit,
      )
      return rows.flatMap((row) => {
        const own = row['id']
        return typeof own === 'string' ? [{ ...toRow(row), id: own }] : []
      })
    },
    async writeAlone(id, target) {
      await db.ask('BEGIN')
      for (const table of tables) {
        const column = sessionTables[table]
        if (column === null) continue
        if (column === undefined) await db.ask(`DELETE FROM ${quoted(table)}`)
        else await db.ask(`DELETE FROM ${quoted(table)} WHERE ${column} <> ?`, id)
      }
      await db.ask('DELETE FROM project WHERE id NOT IN (SELECT project_id FROM session)')
      await db.ask('UPDATE session SET directory = ?', containerPaths.workspace)
      await db.ask('UPDATE project SET worktree = ?', containerPaths.workspace)
      await db.ask('COMMIT')
      await db.ask('VACUUM INTO ?', target)
    },
    async writeForked(id, toId, target) {
      const changes = forkChanges(toId)
      await db.ask('BEGIN')
      for (const table of ['session', ...forkedTables]) {
        if (!tables.includes(table)) continue
        const names = await namesOf(db, `SELECT name FROM pragma_table_info('${table}')`)
        const values = names.map((name) => changes[table]?.[name] ?? changes['any']?.[name] ?? quoted(name))
        await db.ask(
          `INSERT INTO ${table} (${names.map(quoted).join(', ')})
           SELECT ${values.join(', ')} FROM ${table} WHERE ${table === 'session' ? 'id' : 'session_id'} = ?`,
          id,
        )
      }
      await db.ask('COMMIT')
      await db.ask('VACUUM INTO ?', target)
    },
  }
}

/**
 * What the columns of a fork say, in SQL. The beginning of an id is a time, by which the CLI sorts what was said; its end
 * is random. So the beginning stays, and the same id always becomes the same one: also where another row names it.
 */
function forkChanges(toId: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  if (!/^[A-Za-z0-9_]+$/.test(toId)) throw new Error(`${toId} is no id of a session`)
  const renamed = (old: string): string =>
    `substr(${old}, 1, 16) || '${toId.slice(-10)}' || substr(${old}, -4)`
  const inData = ['$.parentID', '$.tail_start_id'].reduce((data, path) => {
    const named = `json_extract(data, '${path}')`
    return `CASE WHEN json_valid(data) AND ${named} IS NOT NULL THEN json_set(${data}, '${path}', ${renamed(named)}) ELSE ${data} END`
  }, 'data')
  return {
    session: { id: `'${toId}'`, title: "title || ' (fork)'", share_url: 'NULL', revert: 'NULL' },
    any: { id: renamed('id'), session_id: `'${toId}'`, message_id: renamed('message_id'), data: inData },
  }
}

async function namesOf(db: CopiedDatabase, sql: string): Promise<readonly string[]> {
  return (await db.ask(sql)).map((row) => String(row['name']))
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function toRow({ title, directory, savedAt, bytes }: Readonly<Record<string, unknown>>) {
  return {
    title: typeof title === 'string' ? title : null,
    directory: typeof directory === 'string' ? directory : null,
    savedAt: typeof savedAt === 'number' ? savedAt : 0,
    bytes: typeof bytes === 'number' ? bytes : 0,
  }
}

/** A sum over the tables in which it was said. */
const bytesOfSession = (tables: readonly string[]): string =>
  [
    '0',
    ...['message', 'part']
      .filter((table) => tables.includes(table))
      .map(
        (table) =>
          `(SELECT coalesce(sum(length(data)), 0) FROM ${table} WHERE ${table}.session_id = session.id)`,
      ),
  ].join(' + ')
