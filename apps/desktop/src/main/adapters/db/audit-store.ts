import type { Database } from 'better-sqlite3'
import type { AuditStore } from '@main/ports/stores'
import { toJson } from './row-values'

/** Writes `audit`. */
export function createAuditStore(db: Database): AuditStore {
  const add = db.prepare<[object]>(
    `INSERT INTO audit (at, who, what, mailbox_id, run_id, detail)
     VALUES (:at, :who, :what, :mailboxId, :runId, :detail)`,
  )

  return {
    add: (entry) => {
      add.run({ ...entry, detail: toJson(entry.detail) })
    },
  }
}
