import { z } from 'zod'
import {
  attachmentIdSchema,
  chatThreadIdSchema,
  mailboxIdSchema,
  resumeChoiceSchema,
  runIdSchema,
  sessionIdSchema,
} from '../model/ids'
import { adapterIdSchema, chatMessageStateSchema, chatRoleSchema, phaseSchema } from '../model/words'
import { command, query } from './define'
import { timelineRowSchema } from './sessions'

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
  /** No memory is gone on with: the next turn is told a replay of the transcript. */
  isReplay: z.boolean(),
  /** It begins without a memory, as a person wished; false once a turn of it has one. */
  isFresh: z.boolean(),
})
export type OpenedChat = z.infer<typeof openedChatSchema>

/** What may go along with one message. */
export const attachmentLimits = { files: 8, bytes: 10_000_000 } as const

/** A file or a picture that goes along with a message. */
export const attachmentSchema = z.object({
  id: attachmentIdSchema,
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number(),
})
export type AttachmentRow = z.infer<typeof attachmentSchema>

export const chatMessageSchema = z.object({
  role: chatRoleSchema,
  runId: runIdSchema,
  state: chatMessageStateSchema,
  text: z.string(),
  at: z.number(),
  attachments: z.array(attachmentSchema),
})
export type ChatMessageRow = z.infer<typeof chatMessageSchema>

/** A turn of a chat: its run, and what only a chat asks of it. */
export const chatTurnSchema = z.object({
  row: timelineRowSchema,
  /** Why it did not succeed, in words; null: it did, or it goes on. */
  failure: z.string().nullable(),
  /** The session that it asked for and could not resume, to be asked for again; null: it lost none. */
  lostSessionId: sessionIdSchema.nullable(),
  /** How full the context was by its end; null: nobody knows. */
  contextUsed: z.number().nullable(),
  contextMax: z.number().nullable(),
  /** Once it has ended: what a person should know of it beside the answer, in sentences. */
  notes: z.array(z.string()),
})
export type ChatTurn = z.infer<typeof chatTurnSchema>

/** All that the window shows of one chat. */
export const chatThreadSchema = z.object({
  chat: openedChatSchema,
  draft: z.string(),
  /** What is to go along with the next message. */
  attachments: z.array(attachmentSchema),
  /** The newest ones, oldest first. */
  messages: z.array(chatMessageSchema),
  messageCount: z.number(),
  /** The turns of these messages. */
  turns: z.array(chatTurnSchema),
  turnCount: z.number(),
  costUsd: z.number().nullable(),
  costUnknown: z.number(),
  /** The turn in which its memory began fresh, after the one that it continues was lost; null: it was not. */
  freshSince: runIdSchema.nullable(),
  contextUsed: z.number().nullable(),
  contextMax: z.number().nullable(),
  /** The run of the issue that has not ended, also where it is a turn of this chat. */
  liveRunId: runIdSchema.nullable(),
})
export type ChatThreadDetail = z.infer<typeof chatThreadSchema>

/** A memory of an issue, as a chat can go on with it; in order of first appearance, so that the first is memory A. */
export const chatMemorySchema = z.object({
  adapter: adapterIdSchema,
  nativeSessionId: z.string(),
  /** The newest run that used it. */
  runId: runIdSchema,
  runs: z.number(),
  usedAt: z.number(),
  stateBytes: z.number().nullable(),
  /** `lost`: the newest run that asked for it could not resume it; `removed`: at cleanup. */
  state: z.enum(['ok', 'lost', 'removed']),
  /** Since when it is lost or removed. */
  since: z.number().nullable(),
})
export type ChatMemory = z.infer<typeof chatMemorySchema>

export const chatRowSchema = z.object({
  threadId: chatThreadIdSchema,
  title: z.string(),
  adapter: adapterIdSchema,
  /** Of the session that its next turn goes on with. */
  nativeSessionId: z.string().nullable(),
  turns: z.number(),
  costUsd: z.number().nullable(),
  costUnknown: z.number(),
  at: z.number(),
})
export type ChatRow = z.infer<typeof chatRowSchema>

const chatError = z.discriminatedUnion('type', [
  z.object({ type: z.literal('not_continuable'), message: z.string() }),
  z.object({ type: z.literal('memory_removed'), at: z.number() }),
  /** `since`: epoch ms from which that run has held the mailbox. */
  z.object({ type: z.literal('already_running'), runId: runIdSchema, since: z.number() }),
  z.object({ type: z.literal('no_agent'), message: z.string() }),
])

export const chatsContract = {
  /** Continues an ended run as a chat: a new one, or, for a turn of a chat, the one that it belongs to. */
  open: command({
    input: z.object({
      runId: runIdSchema,
      /** A new chat with the agent of that run and without its memory. */
      isFresh: z.boolean().optional(),
    }),
    output: openedChatSchema,
    error: chatError,
  }),
  /** Whether a run can be continued as a chat now. */
  canChat: query({
    input: z.object({ mailboxId: mailboxIdSchema, runId: runIdSchema }),
    output: z.object({
      canChat: z.boolean(),
      /** Why not, in words. */
      reason: z.string().nullable(),
      /** The chat that the run is a turn of: it can be read at any time. */
      threadId: chatThreadIdSchema.nullable(),
    }),
  }),
  /** Queues a turn. `auto`: with the newest session of the chat. */
  send: command({
    input: z.object({
      threadId: chatThreadIdSchema,
      text: z.string().trim().min(1).max(200_000),
      resumeChoice: resumeChoiceSchema,
      /** The text was the draft of the chat, which is empty then. */
      isDraft: z.boolean().optional(),
      /** The message of that turn is said again, so what went along with it goes along again. */
      again: runIdSchema.optional(),
    }),
    output: z.object({ runId: runIdSchema }),
    error: chatError,
  }),
  /** Keeps a file for the next message. Secrets are taken out of one that is a text. */
  attach: command({
    input: z.object({
      threadId: chatThreadIdSchema,
      name: z.string().min(1).max(500),
      mediaType: z.string().max(200),
      /** In base64. */
      content: z.base64().max(Math.ceil(attachmentLimits.bytes / 3) * 4),
    }),
    output: attachmentSchema,
    error: z.object({ type: z.enum(['attachment_empty', 'too_many_attachments', 'attachment_too_large']) }),
  }),
  /** Takes one back whose message is not sent yet. */
  detach: command({
    input: z.object({ threadId: chatThreadIdSchema, attachmentId: attachmentIdSchema }),
    output: z.null(),
  }),
  /** What went along with that turn is to go along with the next message, unless something else is. */
  attachAgain: command({
    input: z.object({ threadId: chatThreadIdSchema, runId: runIdSchema }),
    output: z.null(),
  }),
  /** The newest, oldest first. */
  messages: query({
    input: z.object({ threadId: chatThreadIdSchema, limit: z.number().int().min(1).max(1_000) }),
    output: z.array(chatMessageSchema),
  }),
  thread: query({
    input: z.object({
      mailboxId: mailboxIdSchema,
      threadId: chatThreadIdSchema,
      limit: z.number().int().min(1).max(10_000),
    }),
    output: chatThreadSchema,
  }),
  /** The memories of an issue, and its chats in which something was said, the newest first. */
  ofMailbox: query({
    input: z.object({ mailboxId: mailboxIdSchema }),
    output: z.object({ memories: z.array(chatMemorySchema), chats: z.array(chatRowSchema) }),
  }),
  rename: command({
    input: z.object({ threadId: chatThreadIdSchema, title: z.string().trim().min(1).max(120) }),
    output: z.null(),
  }),
  /** A whole chat as Markdown, with a name for its file. */
  export: query({
    input: z.object({ threadId: chatThreadIdSchema }),
    output: z.object({ fileName: z.string(), markdown: z.string() }),
  }),
  /** Keeps what is written and not sent, without secrets. */
  keepDraft: command({
    input: z.object({ threadId: chatThreadIdSchema, text: z.string().max(200_000) }),
    output: z.null(),
  }),
} as const
