import type { Database } from 'better-sqlite3'
import type { ResumeFailure } from '@shared/model/words'
import type { SessionStore } from '@main/ports/stores'

/** The part of the session store that writes `set_aside_ids`. */
export type SetAsideStore = Pick<SessionStore, 'setAside' | 'findSetAside' | 'clearSetAside'>

/** Writes `set_aside_ids`. */
export function createSetAsideStore(db: Database): SetAsideStore {
  const put = db.prepare<[number, string, string, string, number]>(
    `INSERT INTO set_aside_ids (mailbox_id, adapter, native_session_id, reason, set_aside_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (mailbox_id, adapter, native_session_id)
     DO UPDATE SET reason = excluded.reason, set_aside_at = excluded.set_aside_at`,
  )
  const find = db.prepare<[number, string, string], { reason: ResumeFailure }>(
    'SELECT reason FROM set_aside_ids WHERE mailbox_id = ? AND adapter = ? AND native_session_id = ?',
  )
  const clear = db.prepare<[number, string, string]>(
    'DELETE FROM set_aside_ids WHERE mailbox_id = ? AND adapter = ? AND native_session_id = ?',
  )

  return {
    setAside: (mailboxId, adapter, nativeId, reason, at) => {
      put.run(mailboxId, adapter, nativeId, reason, at)
    },
    findSetAside: (mailboxId, adapter, nativeId) => find.get(mailboxId, adapter, nativeId)?.reason ?? null,
    clearSetAside: (mailboxId, adapter, nativeId) => {
      clear.run(mailboxId, adapter, nativeId)
    },
  }
}
