import type { AttachmentId, ChatThreadId, MailboxId, RunId, SessionId } from '@shared/model/ids'
import type { Attachment, ChatMessage, ChatThread, LlmSession } from '@shared/model/records'
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

export interface ChatStore extends ChatAttachments {
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
  /** What a person should know of a turn that has ended, as sentences. */
  setNotes(runId: RunId, notes: readonly string[]): void
  listNotes(runId: RunId): readonly string[]
  /** The newest `limit`, oldest first. */
  listMessages(threadId: ChatThreadId, limit: number): readonly ChatMessage[]
  /** The newest session of the thread's turns that has a native id; null: none has. */
  newestSession(threadId: ChatThreadId): LlmSession | null
}

/** What goes along with messages. */
export interface ChatAttachments {
  addAttachment(attachment: Omit<Attachment, 'id' | 'bytes'>, content: Uint8Array, at: number): Attachment
  /** Of the whole chat, oldest first. */
  listAttachments(threadId: ChatThreadId): readonly Attachment[]
  /** What went along with a turn, oldest first. */
  readAttachments(runId: RunId): readonly (Attachment & { readonly content: Uint8Array })[]
  /** Only one whose message is not sent yet. */
  removeAttachment(threadId: ChatThreadId, id: AttachmentId): void
  /** What was to go along with the next message goes with this turn of it. */
  sendAttachments(threadId: ChatThreadId, runId: RunId): void
  /** `to`: null: they are to go along with the next message. */
  copyAttachments(from: RunId, to: RunId | null): void
}
