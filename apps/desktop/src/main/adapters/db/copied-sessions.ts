import Database from 'better-sqlite3'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { containerPaths } from '@main/core/sandbox/container-paths'
import type { JsonRecord } from '@main/ports/hand-made-sessions'
import { openPlain } from '../session-import/plain-files'

/*
 * Sessions that are rows of an SQLite database, as OpenCode keeps them. The person's database is never opened: most of
 * it may lie in the write-ahead log beside it, which even reading would touch. All happens on a copy.
 */

/** Larger ones are not copied; what follows is done without waiting. */
const maxDatabaseBytes = 100_000_000

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

export interface SessionDatabase {
  /** Rows of the table of sessions, the newest first. */
  list(limit: number): readonly JsonRecord[]
  /** Bytes of what was said in a session. */
  bytesOf(id: string): number
  /**
   * Writes a database that holds this session alone, as one of /workspace: no other session, and none of the logins
   * that the CLI keeps beside them, not even as what was deleted.
   */
  writeAlone(id: string, target: string): void
  close(): Promise<void>
}

/** null: it is not there, or no plain file, or damaged or changed meanwhile, or its schema holds more than tables. */
export async function openCopyOf(
  file: string,
  work: string,
  nativeBinding: string | undefined,
): Promise<SessionDatabase | 'too_large' | null> {
  await mkdir(work, { recursive: true, mode: 0o700 })
  const discard = (): Promise<void> => rm(work, { recursive: true, force: true })
  const copy = join(work, 'copy.db')
  const found = [await sizeOf(file), await sizeOf(`${file}-wal`)]
  const [size, logSize] = found
  if (size === null || size === undefined) return discard().then(() => null)
  if (size + (logSize ?? 0) > maxDatabaseBytes) return discard().then(() => 'too_large')
  try {
    await copyFile(file, copy)
    if (logSize !== null) await copyFile(`${file}-wal`, `${copy}-wal`)
    const db = new Database(copy, nativeBinding === undefined ? {} : { nativeBinding })
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    db.pragma('foreign_keys = OFF')
    if (!isPlain(db)) {
      db.close()
      return await discard().then(() => null)
    }
    return toSessionDatabase(db, discard)
  } catch {
    return discard().then(() => null)
  }
}

async function sizeOf(path: string): Promise<number | null> {
  const file = await openPlain(path)
  if (file === null) return null
  await file.handle.close()
  return file.bytes
}

/** Views and triggers would run what somebody else wrote. */
function isPlain(db: Database.Database): boolean {
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') return false
  const others = db
    .prepare<[], { n: number }>(
      `SELECT count(*) AS n FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'`,
    )
    .get()
  return others?.n === 0 && tablesOf(db).includes('session')
}

const tablesOf = (db: Database.Database): readonly string[] =>
  db
    .prepare<[], { name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .all()
    .map(({ name }) => name)

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

function toSessionDatabase(db: Database.Database, discard: () => Promise<void>): SessionDatabase {
  const tables = tablesOf(db)
  return {
    list: (limit) =>
      db.prepare<[number], JsonRecord>('SELECT * FROM session ORDER BY time_updated DESC LIMIT ?').all(limit),
    bytesOf: (id) =>
      ['message', 'part']
        .filter((table) => tables.includes(table))
        .map(
          (table) =>
            db
              .prepare<[string], { bytes: number }>(
                `SELECT coalesce(sum(length(data)), 0) AS bytes FROM ${table} WHERE session_id = ?`,
              )
              .get(id)?.bytes ?? 0,
        )
        .reduce((sum, bytes) => sum + bytes, 0),
    writeAlone(id, target) {
      db.transaction(() => {
        for (const table of tables) {
          const column = sessionTables[table]
          if (column === null) continue
          if (column === undefined) db.prepare(`DELETE FROM ${quoted(table)}`).run()
          else db.prepare(`DELETE FROM ${quoted(table)} WHERE ${column} <> ?`).run(id)
        }
        db.prepare('DELETE FROM project WHERE id NOT IN (SELECT project_id FROM session)').run()
        db.prepare('UPDATE session SET directory = ?').run(containerPaths.workspace)
        db.prepare('UPDATE project SET worktree = ?').run(containerPaths.workspace)
      })()
      db.prepare('VACUUM INTO ?').run(target)
    },
    async close() {
      db.close()
      await discard()
    },
  }
}
