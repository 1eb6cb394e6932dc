import type { Database } from 'better-sqlite3'
import type { ChatMessage, ChatThread } from '@shared/model/records'
import type { ChatFigures, ChatStore } from '@main/ports/chat-store'
import { createChatAttachments } from './chat-attachments'
import { existing, selectList } from './row-values'
import { sessionColumns, toSessionOrNull, type SessionRow } from './session-row'

const threadColumns = selectList({
  id: 'id',
  mailboxId: 'mailbox_id',
  adapter: 'adapter',
  title: 'title',
  anchorSessionId: 'anchor_session_id',
  isFresh: 'is_fresh',
  draft: 'draft',
  createdAt: 'created_at',
} satisfies Record<keyof ChatThread, string>)

type ThreadRow = Omit<ChatThread, 'isFresh'> & { readonly isFresh: 0 | 1 }
const toThread = (row: ThreadRow): ChatThread => ({ ...row, isFresh: row.isFresh === 1 })
const toThreadOrNull = (row: ThreadRow | undefined): ChatThread | null =>
  row === undefined ? null : toThread(row)

const messageColumns = selectList({
  id: 'id',
  threadId: 'thread_id',
  role: 'role',
  runId: 'run_id',
  state: 'state',
  text: 'text',
  createdAt: 'created_at',
} satisfies Record<keyof ChatMessage, string>)

/** Writes `chat_threads` and `chat_messages`; the attachments have a file of their own. */
export function createChatStore(db: Database): ChatStore {
  const addThread = db.prepare<[object], ThreadRow>(
    `INSERT INTO chat_threads (mailbox_id, adapter, title, anchor_session_id, is_fresh, created_at)
     VALUES (:mailboxId, :adapter, :title, :anchorSessionId, :isFresh, :at) RETURNING ${threadColumns}`,
  )
  const findThread = db.prepare<[number], ThreadRow>(`SELECT ${threadColumns} FROM chat_threads WHERE id = ?`)
  const hasMessages = 'EXISTS (SELECT 1 FROM chat_messages WHERE thread_id = chat_threads.id)'
  const findEmpty = db.prepare<[number, number], ThreadRow>(
    `SELECT ${threadColumns} FROM chat_threads INDEXED BY chat_threads_by_anchor
     WHERE anchor_session_id = ? AND is_fresh = ? AND NOT ${hasMessages} ORDER BY id DESC LIMIT 1`,
  )
  const listThreads = db.prepare<[number, number], ThreadRow>(
    `SELECT ${threadColumns} FROM chat_threads INDEXED BY chat_threads_by_mailbox
     WHERE mailbox_id = ? AND ${hasMessages} ORDER BY id DESC LIMIT ?`,
  )
  const setTitle = db.prepare<[string, number]>('UPDATE chat_threads SET title = ? WHERE id = ?')
  const setDraft = db.prepare<[string, number]>('UPDATE chat_threads SET draft = ? WHERE id = ?')
  const countMessages = db
    .prepare<[number], number>(
      'SELECT count(*) FROM chat_messages INDEXED BY chat_messages_by_thread WHERE thread_id = ?',
    )
    .pluck()
  const figures = db.prepare<[number], ChatFigures>(
    `SELECT count(*) AS turns, sum(cost) AS costUsd, coalesce(sum(cost IS NULL AND state = 'ended'), 0) AS costUnknown,
       max(created_at) AS lastAt
     FROM (
       SELECT state, created_at, (SELECT sum(cost_usd) FROM llm_sessions WHERE run_id = runs.id) AS cost
       FROM runs INDEXED BY runs_by_chat_thread WHERE chat_thread = ?
     )`,
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
  const setNotes = db.prepare<[string, number]>(
    "UPDATE chat_messages SET notes = ? WHERE run_id = ? AND role = 'person'",
  )
  const notesOf = db
    .prepare<[number], string>("SELECT notes FROM chat_messages WHERE run_id = ? AND role = 'person'")
    .pluck()
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
      toThread(
        existing(
          addThread.get({ ...thread, isFresh: Number(thread.isFresh), at }),
          'chat of mailbox',
          thread.mailboxId,
        ),
      ),
    findThread: (id) => toThreadOrNull(findThread.get(id)),
    findEmptyThread: (anchor, isFresh) => toThreadOrNull(findEmpty.get(anchor, Number(isFresh))),
    listThreads: (mailboxId, limit) => listThreads.all(mailboxId, limit).map(toThread),
    setTitle: (id, title) => {
      setTitle.run(title, id)
    },
    setDraft: (id, draft) => {
      setDraft.run(draft, id)
    },
    countMessages: (id) => countMessages.get(id) ?? 0,
    figuresOf: (id) => existing(figures.get(id), 'figures of chat', id),
    addMessage: (message) => existing(addMessage.get(message), 'message of run', message.runId),
    findMessage: (runId, role) => findMessage.get(runId, role) ?? null,
    setMessageState: (runId, state) => {
      setState.run(state, runId)
    },
    setNotes: (runId, notes) => {
      setNotes.run(JSON.stringify(notes), runId)
    },
    listNotes: (runId) => JSON.parse(notesOf.get(runId) ?? '[]') as readonly string[],
    listMessages: (threadId, limit) => listMessages.all(threadId, limit).toReversed(),
    newestSession: (threadId) => toSessionOrNull(newestSession.get(threadId)),
    ...createChatAttachments(db),
  }
}
