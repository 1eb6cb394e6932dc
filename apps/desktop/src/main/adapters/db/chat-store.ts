import type { Database } from 'better-sqlite3'
import type { ChatMessage, ChatThread } from '@shared/model/records'
import type { ChatStore } from '@main/ports/chat-store'
import { existing, selectList } from './row-values'
import { sessionColumns, toSessionOrNull, type SessionRow } from './session-row'

const threadColumns = selectList({
  id: 'id',
  mailboxId: 'mailbox_id',
  adapter: 'adapter',
  title: 'title',
  anchorSessionId: 'anchor_session_id',
  createdAt: 'created_at',
} satisfies Record<keyof ChatThread, string>)

const messageColumns = selectList({
  id: 'id',
  threadId: 'thread_id',
  role: 'role',
  runId: 'run_id',
  state: 'state',
  text: 'text',
  createdAt: 'created_at',
} satisfies Record<keyof ChatMessage, string>)

/** Writes `chat_threads` and `chat_messages`. */
export function createChatStore(db: Database): ChatStore {
  const addThread = db.prepare<[object], ChatThread>(
    `INSERT INTO chat_threads (mailbox_id, adapter, title, anchor_session_id, created_at)
     VALUES (:mailboxId, :adapter, :title, :anchorSessionId, :at) RETURNING ${threadColumns}`,
  )
  const findThread = db.prepare<[number], ChatThread>(
    `SELECT ${threadColumns} FROM chat_threads WHERE id = ?`,
  )
  const findEmpty = db.prepare<[number], ChatThread>(
    `SELECT ${threadColumns} FROM chat_threads INDEXED BY chat_threads_by_anchor WHERE anchor_session_id = ?
     AND NOT EXISTS (SELECT 1 FROM chat_messages WHERE thread_id = chat_threads.id) ORDER BY id DESC LIMIT 1`,
  )
  const addMessage = db.prepare<[object], ChatMessage>(
    `INSERT INTO chat_messages (thread_id, role, run_id, state, text, created_at)
     VALUES (:threadId, :role, :runId, :state, :text, :createdAt) RETURNING ${messageColumns}`,
  )
  const findMessage = db.prepare<[number, string], ChatMessage>(
    `SELECT ${messageColumns} FROM chat_messages WHERE run_id = ? AND role = ?`,
  )
  const setState = db.prepare<[string, number]>(
    "UPDATE chat_messages SET state = ? WHERE run_id = ? AND role = 'person'",
  )
  const listMessages = db.prepare<[number, number], ChatMessage>(
    `SELECT ${messageColumns} FROM chat_messages WHERE thread_id = ? ORDER BY id DESC LIMIT ?`,
  )
  const newestSession = db.prepare<[number], SessionRow>(
    `SELECT ${selectList(sessionColumns, 'llm_sessions')}
     FROM runs INDEXED BY runs_by_chat_thread CROSS JOIN llm_sessions ON llm_sessions.run_id = runs.id
     WHERE runs.chat_thread = ? AND native_session_id IS NOT NULL ORDER BY runs.id DESC, llm_sessions.id DESC LIMIT 1`,
  )

  return {
    addThread: (thread, at) =>
      existing(addThread.get({ ...thread, at }), 'chat of mailbox', thread.mailboxId),
    findThread: (id) => findThread.get(id) ?? null,
    findEmptyThread: (anchor) => findEmpty.get(anchor) ?? null,
    addMessage: (message) => existing(addMessage.get(message), 'message of run', message.runId),
    findMessage: (runId, role) => findMessage.get(runId, role) ?? null,
    setMessageState: (runId, state) => {
      setState.run(state, runId)
    },
    listMessages: (threadId, limit) => listMessages.all(threadId, limit).toReversed(),
    newestSession: (threadId) => toSessionOrNull(newestSession.get(threadId)),
  }
}
