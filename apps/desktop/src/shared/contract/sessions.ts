import { z } from 'zod'
import { attemptIdSchema, mailboxIdSchema, runIdSchema, sessionIdSchema } from '../model/ids'
import {
  adapterIdSchema,
  outcomeSchema,
  phaseSchema,
  resumeFallbackSchema,
  runnerSchema,
  runStateSchema,
  sessionModeSchema,
  sessionOffReasonSchema,
} from '../model/words'
import { query } from './define'

/** The memory badge's data-value, computed by `sessionBadge` in shared/timeline. */
export const sessionBadgeSchema = z.enum([
  'pending',
  'resumed',
  'no_prior_session',
  'adapter_changed',
  'state_missing',
  'unsupported_version',
  'refused',
  'chosen_fresh',
  'unproven',
  'none',
])
export type SessionBadge = z.infer<typeof sessionBadgeSchema>

/** One run on the timeline, with what its session row says (the first attempt's badge; a fallback in any wins). */
export const timelineRowSchema = z.object({
  runId: runIdSchema,
  sessionId: sessionIdSchema.nullable(),
  phase: phaseSchema,
  state: runStateSchema,
  outcome: outcomeSchema.nullable(),
  adapter: adapterIdSchema,
  adapterVersion: z.string().nullable(),
  model: z.string().nullable(),
  runner: runnerSchema,
  attempts: z.number(),
  sessionName: z.string().nullable(),
  nativeSessionId: z.string().nullable(),
  requestedSessionId: z.string().nullable(),
  mode: sessionModeSchema,
  resumed: z.boolean(),
  resumeFallback: resumeFallbackSchema.nullable(),
  sessionOffReason: sessionOffReasonSchema.nullable(),
  badge: sessionBadgeSchema,
  stateBytesBefore: z.number().nullable(),
  stateBytesAfter: z.number().nullable(),
  /** When the state that was asked for had last been saved. */
  stateSavedAt: z.number().nullable(),
  idSetAside: z.boolean(),
  startedAt: z.number().nullable(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  costUsd: z.number().nullable(),
  inputTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  turns: z.number().nullable(),
  commits: z.number().nullable(),
  /** One sentence about how it ended, from facts: "pushed 2 commits". */
  result: z.string().nullable(),
})
export type TimelineRow = z.infer<typeof timelineRowSchema>

/** Letters and lanes at the upper edge of a page, so that pages join without reading what is above. */
export const railEdgeSchema = z.object({
  /** Memory key (`adapter:nativeId`) by letter order; index 0 is A. */
  memories: z.array(z.object({ key: z.string(), firstRunId: runIdSchema, lastRunId: runIdSchema })),
})
export type RailEdge = z.infer<typeof railEdgeSchema>

const unknownCount = z.number().nullable()

/** A whole `llm_sessions` row, for programs. */
export const sessionRecordSchema = z.object({
  id: sessionIdSchema,
  runId: runIdSchema,
  attemptId: attemptIdSchema,
  mailboxId: mailboxIdSchema,
  adapter: adapterIdSchema,
  provider: z.string().nullable(),
  model: z.string().nullable(),
  sessionName: z.string().nullable(),
  nativeSessionId: z.string().nullable(),
  resumed: z.boolean(),
  resumeFallback: resumeFallbackSchema.nullable(),
  mode: sessionModeSchema,
  requestedSessionId: z.string().nullable(),
  chosenSessionId: z.string().nullable(),
  stateBytesBefore: unknownCount,
  stateBytesAfter: unknownCount,
  stateSavedAt: unknownCount,
  idSetAside: z.boolean(),
  firstEventAt: unknownCount,
  inputTokens: unknownCount,
  cachedTokens: unknownCount,
  outputTokens: unknownCount,
  costUsd: unknownCount,
  contextUsed: unknownCount,
  contextMax: unknownCount,
  turns: unknownCount,
  toolCalls: unknownCount,
  createdAt: z.number(),
  endedAt: unknownCount,
})
export type SessionRecord = z.infer<typeof sessionRecordSchema>

/** A page of a timeline, oldest first. */
export const timelinePageSchema = z.object({
  rows: z.array(timelineRowSchema),
  total: z.number(),
  hasEarlier: z.boolean(),
  rail: railEdgeSchema,
})

export const sessionsContract = {
  /** Whole session rows of a mailbox, oldest first: the latest `limit` of them. */
  records: query({
    input: z.object({ mailboxId: mailboxIdSchema, limit: z.number().int().min(1).max(1000) }),
    output: z.array(sessionRecordSchema),
  }),
  /** A page of at most `limit` rows that end before `beforeRunId` (null: the newest), oldest first. */
  timeline: query({
    input: z.object({
      mailboxId: mailboxIdSchema,
      beforeRunId: runIdSchema.nullable(),
      limit: z.number().int().min(1).max(200),
    }),
    output: timelinePageSchema,
  }),
} as const
