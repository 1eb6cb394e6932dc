import type { Database } from 'better-sqlite3'
import type { SessionStore } from '@main/ports/stores'

/** The part of the session store that writes `dropped_ids`. */
export type DroppedIdStore = Pick<SessionStore, 'drop' | 'droppedAt' | 'takeBack' | 'hasDropped'>

/** Writes `dropped_ids`. */
export function createDroppedIdStore(db: Database): DroppedIdStore {
  const put = db.prepare<[number, string, string, number]>(
    `INSERT INTO dropped_ids (mailbox_id, adapter, native_session_id, dropped_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (mailbox_id, adapter, native_session_id) DO NOTHING`,
  )
  const find = db.prepare<[number, string, string], { at: number }>(
    'SELECT dropped_at AS at FROM dropped_ids WHERE mailbox_id = ? AND adapter = ? AND native_session_id = ?',
  )
  const any = db.prepare<[number, string], { at: number }>(
    'SELECT dropped_at AS at FROM dropped_ids WHERE mailbox_id = ? AND adapter = ? LIMIT 1',
  )
  const clear = db.prepare<[number, string, string]>(
    'DELETE FROM dropped_ids WHERE mailbox_id = ? AND adapter = ? AND native_session_id = ?',
  )

  return {
    drop: (mailboxId, adapter, nativeId, at) => {
      put.run(mailboxId, adapter, nativeId, at)
    },
    droppedAt: (mailboxId, adapter, nativeId) => find.get(mailboxId, adapter, nativeId)?.at ?? null,
    hasDropped: (mailboxId, adapter) => any.get(mailboxId, adapter) !== undefined,
    takeBack: (mailboxId, adapter, nativeId) => {
      clear.run(mailboxId, adapter, nativeId)
    },
  }
}
