import type { chatsContract } from '@shared/contract/chats'
import { err, ok } from '@shared/result'
import type { ChatService } from '../services/chats/chat-service'
import type { HandlersOf } from './dispatch'

export function createChatHandlers(chats: ChatService): HandlersOf<typeof chatsContract> {
  return {
    open: ({ runId }) => chats.open(runId),
    send: ({ threadId, text, resumeChoice }) => chats.send(threadId, text, resumeChoice),
    messages: ({ threadId, limit }) => {
      const found = chats.messages(threadId, limit)
      return found === null ? err({ type: 'not_found', what: `chat ${threadId}` }) : ok(found)
    },
  }
}
