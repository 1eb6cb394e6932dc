import type { Database } from 'better-sqlite3'
import type { Attachment } from '@shared/model/records'
import type { ChatAttachments } from '@main/ports/chat-store'
import { existing } from './row-values'

const columns =
  'id, thread_id AS threadId, run_id AS runId, name, media_type AS mediaType, length(content) AS bytes'

/** Writes `attachments`. */
export function createChatAttachments(db: Database): ChatAttachments {
  const add = db.prepare<[object], Attachment>(
    `INSERT INTO attachments (thread_id, run_id, name, media_type, content, created_at)
     VALUES (:threadId, :runId, :name, :mediaType, :content, :at) RETURNING ${columns}`,
  )
  const list = db.prepare<[number], Attachment>(
    `SELECT ${columns} FROM attachments INDEXED BY attachments_by_thread WHERE thread_id = ? ORDER BY id`,
  )
  const read = db.prepare<[number], Attachment & { readonly content: Buffer }>(
    `SELECT ${columns}, content FROM attachments INDEXED BY attachments_by_run WHERE run_id = ? ORDER BY id`,
  )
  const remove = db.prepare<[number, number]>(
    'DELETE FROM attachments WHERE thread_id = ? AND id = ? AND run_id IS NULL',
  )
  const send = db.prepare<[number, number]>(
    'UPDATE attachments SET run_id = ? WHERE thread_id = ? AND run_id IS NULL',
  )
  const copy = db.prepare<[number | null, number]>(
    `INSERT INTO attachments (thread_id, run_id, name, media_type, content, created_at)
     SELECT thread_id, ?, name, media_type, content, created_at FROM attachments WHERE run_id = ? ORDER BY id`,
  )
  return {
    addAttachment: (attachment, content, at) =>
      existing(
        add.get({ ...attachment, content: Buffer.from(content), at }),
        'attachment of chat',
        attachment.threadId,
      ),
    listAttachments: (threadId) => list.all(threadId),
    readAttachments: (runId) => read.all(runId),
    removeAttachment: (threadId, id) => {
      remove.run(threadId, id)
    },
    sendAttachments: (threadId, runId) => {
      send.run(runId, threadId)
    },
    copyAttachments: (from, to) => {
      copy.run(to, from)
    },
  }
}
