import type { Database } from 'better-sqlite3'
import type { LockStore, SessionLock } from '@main/ports/stores'

const columns = 'mailbox_id AS mailboxId, run_id AS runId, container_name AS containerName, since'

/** Writes `session_locks`: one writer at a time for a mailbox's workspace and sessions. */
export function createLockStore(db: Database): LockStore {
  const take = db.prepare<[number, number, number]>(
    'INSERT INTO session_locks (mailbox_id, run_id, since) VALUES (?, ?, ?) ON CONFLICT (mailbox_id) DO NOTHING',
  )
  const setContainer = db.prepare<[string, number]>(
    'UPDATE session_locks SET container_name = ? WHERE mailbox_id = ?',
  )
  const release = db.prepare<[number, number]>(
    'DELETE FROM session_locks WHERE mailbox_id = ? AND run_id = ?',
  )
  const find = db.prepare<[number], SessionLock>(`SELECT ${columns} FROM session_locks WHERE mailbox_id = ?`)
  const list = db.prepare<[], SessionLock>(`SELECT ${columns} FROM session_locks ORDER BY since, mailbox_id`)

  return {
    take: (mailboxId, runId, at) => {
      take.run(mailboxId, runId, at)
      return find.get(mailboxId)?.runId === runId
    },
    setContainer: (mailboxId, containerName) => {
      setContainer.run(containerName, mailboxId)
    },
    release: (mailboxId, runId) => {
      release.run(mailboxId, runId)
    },
    find: (mailboxId) => find.get(mailboxId) ?? null,
    list: () => list.all(),
  }
}
