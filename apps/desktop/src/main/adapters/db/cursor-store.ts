import type { Database } from 'better-sqlite3'
import type { CursorStore } from '@main/ports/stores'

/** Writes `cursors`. */
export function createCursorStore(db: Database): CursorStore {
  const get = db
    .prepare<[number, number, string], string>(
      'SELECT position FROM cursors WHERE forge_id = ? AND project_id = ? AND kind = ?',
    )
    .pluck()
  const set = db.prepare<[number, number, string, string, number]>(
    `INSERT INTO cursors (forge_id, project_id, kind, position, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (forge_id, project_id, kind)
     DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`,
  )

  return {
    get: (forgeId, projectId, kind) => get.get(forgeId, projectId, kind) ?? null,
    set: (forgeId, projectId, kind, position, at) => {
      set.run(forgeId, projectId, kind, position, at)
    },
  }
}
