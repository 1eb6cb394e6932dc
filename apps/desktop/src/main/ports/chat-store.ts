import type { ChatThreadId, MailboxId, RunId, SessionId } from '@shared/model/ids'
import type { ChatMessage, ChatThread, LlmSession } from '@shared/model/records'
import type { AdapterId, ChatMessageState, ChatRole } from '@shared/model/words'

export interface ChatStore {
  addThread(
    thread: {
      readonly mailboxId: MailboxId
      readonly adapter: AdapterId
      readonly title: string
      readonly anchorSessionId: SessionId
    },
    at: number,
  ): ChatThread
  findThread(id: ChatThreadId): ChatThread | null
  /** The newest one that began with this session and in which nothing was said yet. */
  findEmptyThread(anchor: SessionId): ChatThread | null
  /** Of one run there is at most one message of each role. */
  addMessage(message: Omit<ChatMessage, 'id'>): ChatMessage
  findMessage(runId: RunId, role: ChatRole): ChatMessage | null
  setMessageState(runId: RunId, state: ChatMessageState): void
  /** The newest `limit`, oldest first. */
  listMessages(threadId: ChatThreadId, limit: number): readonly ChatMessage[]
  /** The newest session of the thread's turns that has a native id; null: none has. */
  newestSession(threadId: ChatThreadId): LlmSession | null
}
