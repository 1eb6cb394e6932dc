import { z } from 'zod'
import { attemptIdSchema, mailboxIdSchema, runIdSchema, sessionIdSchema } from '../model/ids'
import {
  adapterIdSchema,
  outcomeSchema,
  phaseSchema,
  resumeFailureSchema,
  resumeFallbackSchema,
  runnerSchema,
  runStateSchema,
  sessionModeSchema,
  sessionOffReasonSchema,
} from '../model/words'
import { command, query } from './define'

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
  /** Who serves the model; null: the CLI's own. */
  provider: z.string().nullable(),
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
  /** No run made the session: a person bound or forked it. */
  isImported: z.boolean(),
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

/** Where a session's memory lies and what a look at it found. */
export const sessionMemorySchema = z.object({
  sessionId: sessionIdSchema,
  /** `ORGANIZATION/PROJECT#IID`. */
  issue: z.string(),
  /** Below the data folder; null: sessions do not apply to the run. */
  folder: z.string().nullable(),
  /** The session's own file below it; null: the CLI keeps all sessions in one. */
  file: z.string().nullable(),
  /**
   * `ok`: it is there and its first record can be read. `removed`: at cleanup. `none`: no id was reported, so there is
   * nothing to keep.
   */
  state: z.enum(['ok', 'missing', 'empty', 'unreadable', 'removed', 'none']),
  bytes: z.number().nullable(),
  savedAt: z.number().nullable(),
  /** Why the id is not tried any more; null: it is. */
  setAside: resumeFailureSchema.nullable(),
  droppedAt: z.number().nullable(),
})
export type SessionMemory = z.infer<typeof sessionMemorySchema>

/** A session that a person made by hand, as the finder shows it. */
export const foundSessionSchema = z.object({
  adapter: adapterIdSchema,
  nativeId: z.string(),
  title: z.string().nullable(),
  workedIn: z.string().nullable(),
  bytes: z.number(),
  savedAt: z.number(),
  /** Why it cannot be bound; null: it can. */
  obstacle: z.string().nullable(),
})
export type FoundSession = z.infer<typeof foundSessionSchema>

const sentence = z.object({ message: z.string() })

const repairError = z.discriminatedUnion('type', [
  /** Nothing is changed while a run uses the memory. */
  z.object({ type: z.literal('running'), runId: runIdSchema }),
  z.object({ type: z.literal('memory_removed'), at: z.number() }),
  sentence.extend({ type: z.literal('not_possible') }),
  sentence.extend({ type: z.literal('gone') }),
  sentence.extend({ type: z.literal('too_large') }),
  sentence.extend({ type: z.literal('unreadable') }),
])
export type RepairError = z.infer<typeof repairError>

const importError = z.discriminatedUnion('type', [
  ...repairError.options,
  /** The issue has this session already, from this run on. */
  z.object({ type: z.literal('already_here'), runId: runIdSchema }),
])
export type ImportError = z.infer<typeof importError>

/** The first two are about the folder, the others about what one CLI keeps in it. */
const findError = z.discriminatedUnion('type', [
  sentence.extend({ type: z.literal('not_a_folder') }),
  sentence.extend({ type: z.literal('not_readable') }),
  sentence.extend({ type: z.literal('too_large') }),
  sentence.extend({ type: z.literal('unreadable') }),
])

/** An ended run that holds a session which no run made. */
const broughtIn = z.object({
  runId: runIdSchema,
  sessionId: sessionIdSchema,
  nativeId: z.string(),
  bytes: z.number(),
  /** Records that could not be read and were left out. */
  recordsLeftOut: z.number(),
  /** The next run goes on with it; false: the settings name another agent. */
  isNext: z.boolean(),
})
export type BroughtIn = z.infer<typeof broughtIn>

const folderPath = z.string().min(1).max(4096)
const nativeIdText = z.string().min(1).max(200)

export const sessionsContract = {
  /** Whole session rows of all mailboxes behind `afterId` (null: from the first), oldest first. */
  all: query({
    input: z.object({ afterId: sessionIdSchema.nullable(), limit: z.number().int().min(1).max(1000) }),
    output: z.array(sessionRecordSchema),
  }),
  /** One row, and what a look at its memory finds now. */
  show: query({
    input: z.object({ sessionId: sessionIdSchema }),
    output: z.object({ record: sessionRecordSchema, memory: sessionMemorySchema }),
  }),
  /** CLIs whose sessions can be found, in the order in which they are looked for; `obstacle`: why none can be bound. */
  finders: query({
    input: z.object({ mailboxId: mailboxIdSchema }),
    output: z.array(z.object({ adapter: adapterIdSchema, obstacle: z.string().nullable() })),
  }),
  /**
   * Looks for sessions of one CLI that a person made by hand, in a folder that the person picked; only reads. The newest
   * are listed; a session that is named by `nativeId` is found among any number of others.
   */
  find: command({
    input: z.object({
      mailboxId: mailboxIdSchema,
      adapter: adapterIdSchema,
      folder: folderPath,
      nativeId: nativeIdText.nullable(),
    }),
    output: z.object({ sessions: z.array(foundSessionSchema), isCut: z.boolean() }),
    error: findError,
  }),
  /** Copies one of them into the issue, as an ended run that the next one resumes. */
  import: command({
    input: z.object({
      mailboxId: mailboxIdSchema,
      adapter: adapterIdSchema,
      folder: folderPath,
      nativeId: nativeIdText,
    }),
    output: broughtIn,
    error: importError,
  }),
  /** No run goes on with this memory by itself any more; its state stays, and a person can still choose it. */
  drop: command({
    input: z.object({ sessionId: sessionIdSchema }),
    output: z.object({
      /** The session that the next run goes on with instead; null: it starts fresh. */
      nextSessionId: sessionIdSchema.nullable(),
    }),
    error: repairError,
  }),
  /** Copies what can be read of this memory under a new id, as an ended run that the next one resumes. */
  fork: command({
    input: z.object({ sessionId: sessionIdSchema }),
    output: broughtIn,
    error: repairError,
  }),
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
