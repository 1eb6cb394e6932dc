import type { ChatThreadId, MailboxId, RunId, SessionId } from '@shared/model/ids'
import type { ChatMessage, ChatThread, LlmSession } from '@shared/model/records'
import type { AdapterId, ChatMessageState, ChatRole } from '@shared/model/words'

export interface ChatFigures {
  readonly turns: number
  /** null: no turn told its cost. */
  readonly costUsd: number | null
  /** Ended turns whose cost nobody told. */
  readonly costUnknown: number
  /** When the newest turn was asked for; null: there is none. */
  readonly lastAt: number | null
}

export interface ChatStore {
  addThread(
    thread: {
      readonly mailboxId: MailboxId
      readonly adapter: AdapterId
      readonly title: string
      readonly anchorSessionId: SessionId
      readonly isFresh: boolean
    },
    at: number,
  ): ChatThread
  findThread(id: ChatThreadId): ChatThread | null
  /** The newest one that began with this session, or without its memory, and in which nothing was said yet. */
  findEmptyThread(anchor: SessionId, isFresh: boolean): ChatThread | null
  /** The newest `limit` in which something was said, the newest first. */
  listThreads(mailboxId: MailboxId, limit: number): readonly ChatThread[]
  setTitle(id: ChatThreadId, title: string): void
  setDraft(id: ChatThreadId, draft: string): void
  countMessages(id: ChatThreadId): number
  /** Of its turns; each is a run. */
  figuresOf(id: ChatThreadId): ChatFigures
  /** Of one run there is at most one message of each role. */
  addMessage(message: Omit<ChatMessage, 'id'>): ChatMessage
  findMessage(runId: RunId, role: ChatRole): ChatMessage | null
  setMessageState(runId: RunId, state: ChatMessageState): void
  /** The newest `limit`, oldest first. */
  listMessages(threadId: ChatThreadId, limit: number): readonly ChatMessage[]
  /** The newest session of the thread's turns that has a native id; null: none has. */
  newestSession(threadId: ChatThreadId): LlmSession | null
}
