import type { Database } from 'better-sqlite3'
import type { RunRecord } from '@main/core/restore/run-record'

/*
 * Ids that a person dropped. A run that goes on with one takes it back into use, and so does binding it again: either
 * leaves a session that began later than the drop.
 */

export function putDropped(db: Database, { dropped }: RunRecord, mailboxId: number): void {
  const put = db.prepare(
    `INSERT INTO dropped_ids (mailbox_id, adapter, native_session_id, dropped_at)
     VALUES (:mailboxId, :adapter, :nativeSessionId, :droppedAt)
     ON CONFLICT (mailbox_id, adapter, native_session_id)
     DO UPDATE SET dropped_at = max(dropped_at, excluded.dropped_at)`,
  )
  for (const id of dropped ?? []) put.run({ ...id, mailboxId })
}

/** Once all runs are there, in whatever order they came. */
export function takeBackUsed(db: Database): void {
  db.prepare(
    `DELETE FROM dropped_ids WHERE EXISTS (SELECT 1 FROM llm_sessions
       WHERE llm_sessions.mailbox_id = dropped_ids.mailbox_id AND llm_sessions.adapter = dropped_ids.adapter
         AND llm_sessions.native_session_id = dropped_ids.native_session_id
         AND llm_sessions.created_at > dropped_ids.dropped_at)`,
  ).run()
}
