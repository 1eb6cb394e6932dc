import { z } from 'zod'
import { mailboxIdSchema, resumeChoiceSchema, runIdSchema } from '../model/ids'
import {
  forgeKindSchema,
  mailboxKindSchema,
  outcomeSchema,
  phaseSchema,
  runEventKindSchema,
  triggerSchema,
} from '../model/words'
import { command, query, stream } from './define'
import { timelineRowSchema } from './sessions'

/** The container contract of a run, in words and figures, as the run screen shows it. */
export const sandboxContractSchema = z.object({
  runner: z.enum(['container', 'host']),
  image: z.string().nullable(),
  imageDigest: z.string().nullable(),
  user: z.string(),
  cpus: z.number().nullable(),
  memoryBytes: z.number().nullable(),
  pids: z.number().nullable(),
  timeoutMs: z.number(),
  /** What it might cost when it was started; of runs of an older Alfred it is not known. */
  budgetUsd: z.number().nullable().optional(),
  network: z.string(),
  credentials: z.string(),
  mounts: z.array(
    z.object({ target: z.string(), access: z.enum(['rw', 'ro', 'tmpfs']), purpose: z.string() }),
  ),
})
export type SandboxContract = z.infer<typeof sandboxContractSchema>

/** Why a run did not succeed; the window owns the words. */
export const runFailureSchema = z.object({
  type: z.enum([
    'agent_failed',
    'agent_reported_failure',
    'provider_error',
    'account_limit',
    'login_missing',
    'agent_missing',
    'timed_out',
    'out_of_memory',
    'disk_limit',
    'budget_used',
    'stopped',
    'interrupted',
    'bundle_refused',
    'result_refused',
    'push_refused',
    'image_missing',
    'docker_unreachable',
    'workspace_failed',
    'stream_replaced',
    'output_too_large',
    'forge_changed',
    'unexpected',
  ]),
  message: z.string(),
  exitCode: z.number().nullable().optional(),
  /** Of an account that is used up: until when, where its provider told. */
  freeAt: z.number().optional(),
})
export type RunFailure = z.infer<typeof runFailureSchema>

export const outboxRowSchema = z.object({
  id: z.number(),
  kind: z.string(),
  target: z.string(),
  /** `dropped`: it was not sent, and nothing failed. */
  state: z.enum(['waiting', 'sending', 'sent', 'failed', 'dropped']),
  attempts: z.number(),
  lastError: z.string().nullable(),
  nextAttemptAt: z.number().nullable(),
  sentAt: z.number().nullable(),
  /** First line of what is posted, cut. */
  summary: z.string(),
})

export const changedFileSchema = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed']),
  added: z.number().nullable(),
  deleted: z.number().nullable(),
})
export type ChangedFile = z.infer<typeof changedFileSchema>

export const runDetailSchema = z.object({
  row: timelineRowSchema,
  mailboxId: mailboxIdSchema,
  mailboxKind: mailboxKindSchema,
  forgeKind: forgeKindSchema,
  mailboxIid: z.number(),
  mailboxTitle: z.string(),
  trigger: triggerSchema,
  requestedBy: z.string().nullable(),
  failure: runFailureSchema.nullable(),
  llmRetries: z.number(),
  attempts: z.array(
    z.object({
      number: z.number(),
      outcome: outcomeSchema.nullable(),
      startedAt: z.number(),
      endedAt: z.number().nullable(),
      starts: z.array(
        z.object({
          kind: z.enum(['first', 'fallback', 'collect']),
          exitCode: z.number().nullable(),
          startedAt: z.number(),
          endedAt: z.number().nullable(),
        }),
      ),
    }),
  ),
  nextAttemptAt: z.number().nullable(),
  deadline: z.number().nullable(),
  timeoutMs: z.number(),
  /** What it may cost, or might when it was started; null: no limit, or not known. */
  budgetUsd: z.number().nullable(),
  sandbox: sandboxContractSchema.nullable(),
  contextUsed: z.number().nullable(),
  contextMax: z.number().nullable(),
  toolCalls: z.number().nullable(),
  eventCount: z.number(),
  rawLogBytes: z.number().nullable(),
  changedFiles: z.array(changedFileSchema),
  commits: z.number(),
  branchName: z.string().nullable(),
  baseSha: z.string().nullable(),
  headSha: z.string().nullable(),
  outbox: z.array(outboxRowSchema),
  /** Runs of the same memory, oldest first. */
  sameMemory: z.array(runIdSchema),
  /** Of the memory that a retry goes on with, the newest of its agent; null: there is none. */
  retryLetter: z.string().nullable(),
  folder: z.string(),
})
export type RunDetail = z.infer<typeof runDetailSchema>

/** One event of the transcript; the payload fits the kind. */
export const transcriptEventSchema = z.object({
  seq: z.number(),
  at: z.number(),
  kind: runEventKindSchema,
  payload: z.object({
    /** Words for notice, text, thought, warning, error, output, result. */
    text: z.string().optional(),
    /** tool, tool_result */
    name: z.string().optional(),
    summary: z.string().optional(),
    input: z.string().optional(),
    output: z.string().optional(),
    callId: z.string().nullable().optional(),
    failed: z.boolean().optional(),
    /** session: the id that the CLI reported, and whether it proves the memory. */
    nativeId: z.string().optional(),
    proof: z.enum(['resumed', 'named', 'fresh', 'other_id']).optional(),
    /** cut: bytes dropped and kept. */
    bytes: z.number().optional(),
    keptBytes: z.number().optional(),
    /** usage */
    inputTokens: z.number().nullable().optional(),
    cachedTokens: z.number().nullable().optional(),
    outputTokens: z.number().nullable().optional(),
    costUsd: z.number().nullable().optional(),
    contextUsed: z.number().nullable().optional(),
    contextMax: z.number().nullable().optional(),
    turns: z.number().nullable().optional(),
    succeeded: z.boolean().optional(),
    stream: z.enum(['stdout', 'stderr']).optional(),
  }),
})
export type TranscriptEvent = z.infer<typeof transcriptEventSchema>

/** An event that a search found. */
export const transcriptHitSchema = z.object({
  /** The run that it happened in. */
  row: timelineRowSchema,
  seq: z.number(),
  at: z.number(),
  kind: runEventKindSchema,
  /** What stands around the words, on one line. */
  excerpt: z.string(),
  mailboxKind: mailboxKindSchema,
  iid: z.number(),
  forgeKind: forgeKindSchema,
})
export type TranscriptHit = z.infer<typeof transcriptHitSchema>

const runCommandError = z.discriminatedUnion('type', [
  z.object({ type: z.literal('not_live') }),
  /** `since`: epoch ms from which that run has held the mailbox. */
  z.object({ type: z.literal('already_running'), runId: runIdSchema, since: z.number() }),
  z.object({ type: z.literal('not_retryable'), message: z.string() }),
  z.object({ type: z.literal('memory_removed'), at: z.number() }),
  z.object({ type: z.literal('no_agent'), message: z.string() }),
])

export const runsContract = {
  get: query({ input: z.object({ runId: runIdSchema }), output: runDetailSchema }),
  /** Events after `afterSeq`, or the last ones (`afterSeq` null), oldest first. */
  events: query({
    input: z.object({
      runId: runIdSchema,
      afterSeq: z.number().int().min(0).nullable(),
      beforeSeq: z.number().int().min(0).nullable(),
      limit: z.number().int().min(1).max(1000),
    }),
    output: z.object({ events: z.array(transcriptEventSchema), total: z.number() }),
  }),
  diff: query({
    input: z.object({ runId: runIdSchema }),
    output: z.object({ patch: z.string(), cut: z.boolean() }),
  }),
  prompt: query({ input: z.object({ runId: runIdSchema }), output: z.object({ text: z.string() }) }),
  rawLog: query({
    input: z.object({
      runId: runIdSchema,
      stream: z.enum(['stdout', 'stderr']),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(1_000_000),
    }),
    output: z.object({ text: z.string(), offset: z.number(), totalBytes: z.number() }),
  }),
  /** Events of all runs that hold every word of the text, newest first; new events are found seconds later. */
  searchTranscripts: query({
    input: z.object({ text: z.string().max(300), limit: z.number().int().min(1).max(200) }),
    output: z.object({
      hits: z.array(transcriptHitSchema),
      total: z.number(),
      /** There are more than `total`. */
      isTotalCut: z.boolean(),
      tookMs: z.number(),
    }),
  }),
  /** Queues a run by hand; `phase` null: the one that the mailbox's status asks for. */
  request: command({
    input: z.object({
      mailboxId: mailboxIdSchema,
      phase: phaseSchema.nullable(),
      resumeChoice: resumeChoiceSchema,
    }),
    output: z.object({ runId: runIdSchema }),
    error: runCommandError,
  }),
  stop: command({ input: z.object({ runId: runIdSchema }), output: z.null(), error: runCommandError }),
  stopAll: command({ input: z.object({}), output: z.object({ stopped: z.number() }) }),
  retry: command({
    input: z.object({
      runId: runIdSchema,
      resumeChoice: resumeChoiceSchema,
      /** A run that holds the mailbox is stopped first; its work and memory are kept. */
      takeOver: z.boolean().optional(),
    }),
    output: z.object({ runId: runIdSchema }),
    error: runCommandError,
  }),
  /** New events of one run, in order; after a gap in `seq` the reader asks `events` again. */
  live: stream({
    key: z.object({ runId: runIdSchema }),
    event: z.object({
      events: z.array(transcriptEventSchema),
      /** What the agent has written of a text so far, in whole words. The text itself comes as an event. */
      partial: z.string().optional(),
    }),
  }),
} as const
