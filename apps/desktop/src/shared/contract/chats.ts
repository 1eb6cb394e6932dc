import { z } from 'zod'
import {
  chatThreadIdSchema,
  mailboxIdSchema,
  resumeChoiceSchema,
  runIdSchema,
  sessionIdSchema,
} from '../model/ids'
import { adapterIdSchema, chatMessageStateSchema, chatRoleSchema, phaseSchema } from '../model/words'
import { command, query } from './define'

/** A chat and what it continues. */
export const openedChatSchema = z.object({
  threadId: chatThreadIdSchema,
  mailboxId: mailboxIdSchema,
  /** `organization/project#12`. */
  issue: z.string(),
  /** `Run 427, review fix`. */
  title: z.string(),
  adapter: adapterIdSchema,
  /** The run with which it began, and its session. */
  runId: runIdSchema,
  phase: phaseSchema,
  sessionId: sessionIdSchema,
  sessionName: z.string().nullable(),
  nativeSessionId: z.string().nullable(),
  /** Of the session's state, as it was last seen. */
  stateBytes: z.number().nullable(),
  savedAt: z.number().nullable(),
  /** There is no memory to go on with: each turn is told a replay of the transcript. */
  isReplay: z.boolean(),
})
export type OpenedChat = z.infer<typeof openedChatSchema>

export const chatMessageSchema = z.object({
  role: chatRoleSchema,
  runId: runIdSchema,
  state: chatMessageStateSchema,
  text: z.string(),
  at: z.number(),
})

const chatError = z.discriminatedUnion('type', [
  z.object({ type: z.literal('not_continuable'), message: z.string() }),
  z.object({ type: z.literal('memory_removed'), at: z.number() }),
  /** `since`: epoch ms from which that run has held the mailbox. */
  z.object({ type: z.literal('already_running'), runId: runIdSchema, since: z.number() }),
  z.object({ type: z.literal('no_agent'), message: z.string() }),
])

export const chatsContract = {
  /** Continues an ended run as a chat: a new one, or, for a turn of a chat, the one that it belongs to. */
  open: command({ input: z.object({ runId: runIdSchema }), output: openedChatSchema, error: chatError }),
  /** Queues a turn. `auto`: with the newest session of the chat. */
  send: command({
    input: z.object({
      threadId: chatThreadIdSchema,
      text: z.string().trim().min(1).max(200_000),
      resumeChoice: resumeChoiceSchema,
    }),
    output: z.object({ runId: runIdSchema }),
    error: chatError,
  }),
  /** The newest, oldest first. */
  messages: query({
    input: z.object({ threadId: chatThreadIdSchema, limit: z.number().int().min(1).max(1_000) }),
    output: z.array(chatMessageSchema),
  }),
} as const
