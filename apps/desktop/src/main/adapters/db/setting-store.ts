import type { Database } from 'better-sqlite3'
import type { SettingScope } from '@shared/model/settings'
import type { SettingStore } from '@main/ports/stores'
import { fromJson, toJson } from './row-values'

interface SettingRow {
  readonly scope: SettingScope
  readonly scopeId: number
  readonly key: string
  readonly value: string
  readonly agreedAt: number | null
}

/** Writes `settings`. */
export function createSettingStore(db: Database): SettingStore {
  const list = db.prepare<[], SettingRow>(
    'SELECT scope, scope_id AS scopeId, key, value, agreed_at AS agreedAt FROM settings ORDER BY scope, scope_id, key',
  )
  const set = db.prepare<[string, number, string, string, number, number | null]>(
    `INSERT INTO settings (scope, scope_id, key, value, updated_at, agreed_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (scope, scope_id, key) DO UPDATE SET
       value = excluded.value, updated_at = excluded.updated_at, agreed_at = excluded.agreed_at`,
  )
  const reset = db.prepare<[string, number, string]>(
    'DELETE FROM settings WHERE scope = ? AND scope_id = ? AND key = ?',
  )

  return {
    list: () => list.all().map((row) => ({ ...row, value: fromJson(row.value) })),
    set: (scope, scopeId, key, value, at, agreedAt = null) => {
      set.run(scope, scopeId, key, toJson(value), at, agreedAt)
    },
    reset: (scope, scopeId, key) => {
      reset.run(scope, scopeId, key)
    },
  }
}
