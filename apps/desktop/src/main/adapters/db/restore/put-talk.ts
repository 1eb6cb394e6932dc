import type { Database } from 'better-sqlite3'
import type { RecordedTalk, RunRecord } from '@main/core/restore/run-record'

/*
 * What was said in a chat, a turn at a time, once all runs are there. The first of its turns that comes makes the chat.
 */

export function putTalk(db: Database, { talk, run }: RunRecord): void {
  if (talk === null || talk === undefined) return
  const turn = db
    .prepare<[string], { id: number; mailboxId: number }>(
      'SELECT id, mailbox_id AS mailboxId FROM runs WHERE uid = ?',
    )
    .get(run.uid)
  if (turn === undefined) return
  const { id: runId, mailboxId } = turn
  const anchor = anchorOf(db, talk, mailboxId) ?? newestSession(db, runId)
  // A turn that never came so far, of a chat whose first run is lost: there is nothing that it could go on with.
  if (anchor === null) return
  const threadId =
    findThread(db, talk, mailboxId) ?? addThread(db, talk, { mailboxId, adapter: run.adapter, anchor })
  db.prepare('UPDATE runs SET chat_thread = ? WHERE id = ?').run(threadId, runId)
  const put = db.prepare(
    `INSERT INTO chat_messages (thread_id, role, run_id, state, text, created_at, notes)
     VALUES (:threadId, :role, :runId, :state, :text, :createdAt, :notes) ON CONFLICT (run_id, role) DO NOTHING`,
  )
  for (const { files = [], ...message } of talk.messages)
    put.run({
      ...message,
      threadId,
      runId,
      notes: JSON.stringify(files.length === 0 ? [] : [lostFiles(files)]),
    })
  // The record of a turn that ended is newer than what a backup says of its message.
  if (run.state === 'ended')
    for (const { role, state } of talk.messages)
      db.prepare('UPDATE chat_messages SET state = ? WHERE run_id = ? AND role = ?').run(state, runId, role)
}

/** A backup that has the message has them as well. */
const lostFiles = (names: readonly string[]): string =>
  `The database was restored without the files of this message: ${names.map((name) => `“${name}”`).join(', ')}. If you send it again, attach them again.`

/** Once all is there: the message of a turn that has ended waits for nothing. Unless an agent had it, it comes back. */
export function settleWaiting(db: Database): void {
  db.exec(
    `UPDATE chat_messages SET state = CASE WHEN EXISTS (
       SELECT 1 FROM llm_sessions WHERE llm_sessions.run_id = chat_messages.run_id
         AND (native_session_id IS NOT NULL
           OR (first_event_at IS NOT NULL AND NOT (mode = 'resume' AND resume_fallback IS NOT NULL)))
     ) THEN 'sent' ELSE 'draft' END
     WHERE state = 'queued' AND run_id IN (SELECT id FROM runs WHERE state = 'ended')`,
  )
}

const anchorOf = (db: Database, { anchorRunUid }: RecordedTalk, mailboxId: number): number | null =>
  db
    .prepare<[string, number], number>(
      `SELECT llm_sessions.id FROM llm_sessions JOIN runs ON runs.id = llm_sessions.run_id
       WHERE runs.uid = ? AND runs.mailbox_id = ? ORDER BY llm_sessions.id DESC LIMIT 1`,
    )
    .pluck()
    .get(anchorRunUid, mailboxId) ?? null

const newestSession = (db: Database, runId: number): number | null =>
  db.prepare<[number], number>('SELECT max(id) FROM llm_sessions WHERE run_id = ?').pluck().get(runId) ?? null

const findThread = (db: Database, { createdAt }: RecordedTalk, mailboxId: number): number | null =>
  db
    .prepare<[number, number], number>(
      'SELECT id FROM chat_threads WHERE mailbox_id = ? AND created_at = ? ORDER BY id LIMIT 1',
    )
    .pluck()
    .get(mailboxId, createdAt) ?? null

const addThread = (
  db: Database,
  { title, createdAt, isFresh }: RecordedTalk,
  {
    mailboxId,
    adapter,
    anchor,
  }: { readonly mailboxId: number; readonly adapter: string; readonly anchor: number },
): number =>
  Number(
    db
      .prepare(
        `INSERT INTO chat_threads (mailbox_id, adapter, title, anchor_session_id, is_fresh, created_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(mailboxId, adapter, title, anchor, Number(isFresh), createdAt).lastInsertRowid,
  )
