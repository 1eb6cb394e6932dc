import type { Database } from 'better-sqlite3'
import type { AuditStore } from '@main/ports/stores'
import { toJson } from './row-values'

/** Writes `audit`. What is read of it is read rarely: there is no index by run. */
export function createAuditStore(db: Database): AuditStore {
  const add = db.prepare<[object]>(
    `INSERT INTO audit (at, who, what, mailbox_id, run_id, detail)
     VALUES (:at, :who, :what, :mailboxId, :runId, :detail)`,
  )

  const listByRun = db.prepare<[number], ReturnType<AuditStore['listByRun']>[number]>(
    'SELECT at, who, what FROM audit WHERE run_id = ? ORDER BY id',
  )

  return {
    add: (entry) => {
      add.run({ ...entry, detail: toJson(entry.detail) })
    },
    listByRun: (runId) => listByRun.all(runId),
  }
}
