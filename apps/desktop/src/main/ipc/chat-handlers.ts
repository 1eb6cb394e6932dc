import type { chatsContract } from '@shared/contract/chats'
import { err, ok } from '@shared/result'
import type { ChatAttachmentService } from '../services/chats/attachments'
import type { ChatQueries } from '../services/chats/chat-queries'
import type { ChatService } from '../services/chats/chat-service'
import type { HandlersOf } from './dispatch'

export function createChatHandlers(
  chats: ChatService,
  queries: ChatQueries,
  attachments: ChatAttachmentService,
): HandlersOf<typeof chatsContract> {
  const found = <T>(answer: T | null, what: string) =>
    answer === null ? err({ type: 'not_found', what } as const) : ok(answer)
  return {
    open: ({ runId, isFresh }) => chats.open(runId, isFresh),
    canChat: ({ runId }) => found(queries.canChat(runId), `run ${runId}`),
    send: ({ threadId, text, resumeChoice, isDraft, again }) =>
      chats.send(threadId, text, resumeChoice, { isDraft, again }),
    attach: ({ threadId, name, mediaType, content }) =>
      attachments.attach(threadId, { name, mediaType, content: Buffer.from(content, 'base64') }),
    detach: ({ threadId, attachmentId }) => attachments.detach(threadId, attachmentId),
    attachAgain: ({ threadId, runId }) => attachments.attachAgain(threadId, runId),
    messages: ({ threadId, limit }) => found(chats.messages(threadId, limit), `chat ${threadId}`),
    thread: ({ mailboxId, threadId, limit }) =>
      found(queries.thread(mailboxId, threadId, limit), `chat ${threadId}`),
    ofMailbox: ({ mailboxId }) => ok(queries.ofMailbox(mailboxId)),
    rename: ({ threadId, title }) => chats.rename(threadId, title),
    export: ({ threadId }) => found(queries.export(threadId), `chat ${threadId}`),
    keepDraft: ({ threadId, text }) => chats.keepDraft(threadId, text),
  }
}
