import { z } from 'zod'
import { mailboxIdSchema, projectIdSchema, runIdSchema } from '../model/ids'
import {
  adapterIdSchema,
  forgeKindSchema,
  mailboxFilterSchema,
  mailboxKindSchema,
  needsYouSchema,
  outcomeSchema,
  phaseSchema,
  runStateSchema,
  statusSchema,
} from '../model/words'
import { command, query } from './define'
import { sessionBadgeSchema, timelinePageSchema } from './sessions'
import { queueWaitSchema } from './waits'

/** A run as one word of the list: what it does, and how it stands. */
export const runSummarySchema = z.object({
  id: runIdSchema,
  phase: phaseSchema,
  state: runStateSchema,
  outcome: outcomeSchema.nullable(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
})

/** The last sessions of a mailbox, small: at most 8, oldest first. */
export const miniThreadSchema = z.array(
  z.object({
    runId: runIdSchema,
    /** The memory's letter; null for a run without a session. */
    letter: z.string().nullable(),
    badge: sessionBadgeSchema,
    live: z.boolean(),
  }),
)

export const mailboxRowSchema = z.object({
  id: mailboxIdSchema,
  projectId: projectIdSchema,
  kind: mailboxKindSchema,
  forgeKind: forgeKindSchema,
  iid: z.number(),
  title: z.string(),
  /** `organization/project`. */
  projectPath: z.string(),
  status: statusSchema.nullable(),
  needsYou: needsYouSchema.nullable(),
  isOpen: z.boolean(),
  isUnread: z.boolean(),
  updatedAt: z.number(),
  latestRun: runSummarySchema.nullable(),
  miniThread: miniThreadSchema,
  costUsd: z.number().nullable(),
  costUnknown: z.number(),
})
export type MailboxRow = z.infer<typeof mailboxRowSchema>

export const projectSummarySchema = z.object({
  id: projectIdSchema,
  forgeKind: forgeKindSchema,
  forgeName: z.string(),
  organization: z.string(),
  slug: z.string(),
  isDemo: z.boolean(),
  isWatched: z.boolean(),
  openCount: z.number(),
})
export type ProjectSummary = z.infer<typeof projectSummarySchema>

/** One station of the progress line in the mailbox header. */
export const progressStepSchema = z.object({
  step: z.enum(['analysis', 'plan_validated', 'development', 'ci', 'review', 'merge', 'answer']),
  state: z.enum(['done', 'current', 'ahead', 'failed']),
})

/** What happens now, in data; the window owns the words. */
export const nowStripSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('live'),
    runId: runIdSchema,
    phase: phaseSchema,
    startedAt: z.number().nullable(),
    turn: z.number().nullable(),
    activity: z.string().nullable(),
    contextUsed: z.number().nullable(),
    contextMax: z.number().nullable(),
  }),
  z.object({
    kind: z.literal('queued'),
    runId: runIdSchema,
    phase: phaseSchema,
    /** It has worked before and was cut off, so it goes on. */
    hasBegun: z.boolean(),
    ...queueWaitSchema.shape,
  }),
  z.object({
    kind: z.literal('preparing'),
    runId: runIdSchema,
    phase: phaseSchema,
    step: z.string(),
    fraction: z.number().nullable(),
  }),
  z.object({ kind: z.literal('stopping'), runId: runIdSchema, phase: phaseSchema }),
  z.object({ kind: z.literal('needs_you'), needsYou: needsYouSchema, detail: z.string().nullable() }),
])

export const mailboxDetailSchema = z.object({
  id: mailboxIdSchema,
  projectId: projectIdSchema,
  kind: mailboxKindSchema,
  iid: z.number(),
  title: z.string(),
  body: z.string(),
  projectPath: z.string(),
  forgeKind: forgeKindSchema,
  isDemo: z.boolean(),
  status: statusSchema.nullable(),
  needsYou: needsYouSchema.nullable(),
  isOpen: z.boolean(),
  branchName: z.string().nullable(),
  /** The name that the first session will get, before it is frozen. */
  nextBranchName: z.string(),
  baseBranch: z.string().nullable(),
  changeIid: z.number().nullable(),
  labels: z.array(z.string()),
  url: z.string().nullable(),
  progress: z.array(progressStepSchema),
  now: nowStripSchema.nullable(),
  plan: z
    .object({
      text: z.string(),
      functionalAnalysis: z.string().nullable(),
      createdAt: z.number(),
      isApproved: z.boolean(),
    })
    .nullable(),
  sessionCount: z.number(),
  costUsd: z.number().nullable(),
  costUnknown: z.number(),
  tokens: z.number().nullable(),
  tokensUnknown: z.number(),
  nextPollAt: z.number().nullable(),
  memoryRemovedAt: z.number().nullable(),
  /** Which scope switched sessions off; null while they are on. */
  sessionsOffScope: z.enum(['app', 'organization', 'project']).nullable(),
  /** The adapter that the next run would use; null when none is installed. */
  nextAdapter: adapterIdSchema.nullable(),
  /** A terminal on this mailbox is stopped after this long, also when nobody looks at it. */
  terminalLimitMs: z.number(),
})
export type MailboxDetail = z.infer<typeof mailboxDetailSchema>

/** What a push that waits for a person would publish. */
export const pendingPushSchema = z.object({
  runId: runIdSchema,
  headSha: z.string(),
  branch: z.string(),
  commits: z.number(),
  /** Files that a push would run with the project's secrets (PUSH_NEEDS_PERSON), and messages that close other issues. */
  paths: z.array(z.string()),
  /** Of all that would be published; null when it could not be read. */
  patch: z.string().nullable(),
  patchIsCut: z.boolean(),
  problem: z.string().nullable(),
})
export type PendingPush = z.infer<typeof pendingPushSchema>

/** Where git finds commits that lie on no branch any more: a folder of this computer, and the ref in it. */
export const keptWorkSchema = z.object({ repository: z.string(), ref: z.string() })

const mailboxCommandError = z.discriminatedUnion('type', [
  z.object({ type: z.literal('already_running'), runId: runIdSchema }),
  z.object({ type: z.literal('nothing_to_validate') }),
  z.object({ type: z.literal('nothing_to_push') }),
  z.object({ type: z.literal('not_taken_back'), message: z.string() }),
  z.object({ type: z.literal('not_startable'), message: z.string() }),
  z.object({ type: z.literal('no_agent'), message: z.string() }),
  z.object({ type: z.literal('forge'), message: z.string() }),
])

const cleanUpError = z.discriminatedUnion('type', [
  z.object({ type: z.literal('running'), runId: runIdSchema }),
  /** Work that lies nowhere else; `force` removes it too. */
  z.object({
    type: z.literal('has_work'),
    commits: z.number(),
    files: z.array(z.string()),
    isUncollected: z.boolean(),
  }),
  z.object({ type: z.literal('not_removable'), message: z.string() }),
])

/** A workspace that nobody needs any more: its issue or merge request is closed. */
export const finishedWorkspaceSchema = z.object({
  mailboxId: mailboxIdSchema,
  kind: mailboxKindSchema,
  forgeKind: forgeKindSchema,
  iid: z.number(),
  title: z.string(),
  /** `organization/project`. */
  projectPath: z.string(),
  closedAt: z.number(),
  /** On the disk, as far as was counted. */
  bytes: z.number(),
  /** Why it is left alone; null: it can be removed, and nothing is lost with it. */
  inTheWay: cleanUpError.nullable(),
})
export type FinishedWorkspace = z.infer<typeof finishedWorkspaceSchema>

const listInputSchema = z.object({
  filter: mailboxFilterSchema,
  projectId: projectIdSchema.nullable(),
  text: z.string().max(300).nullable(),
  limit: z.number().int().min(1).max(200),
  before: z.object({ updatedAt: z.number(), id: mailboxIdSchema }).nullable(),
})
const listPageSchema = z.object({ rows: z.array(mailboxRowSchema), hasMore: z.boolean() })

export const mailboxesContract = {
  projects: query({ input: z.object({}), output: z.array(projectSummarySchema) }),
  list: query({ input: listInputSchema, output: listPageSchema }),
  /** A list, and of its first row the mailbox and the newest page of its timeline: a whole picture in one answer. */
  home: query({
    input: z.object({ list: listInputSchema, sessions: z.number().int().min(1).max(200) }),
    output: z.object({
      list: listPageSchema,
      /** Null where the list is empty. */
      first: z.object({ mailbox: mailboxDetailSchema, timeline: timelinePageSchema }).nullable(),
    }),
  }),
  counts: query({ input: z.object({}), output: z.record(mailboxFilterSchema, z.number()) }),
  get: query({ input: z.object({ mailboxId: mailboxIdSchema }), output: mailboxDetailSchema }),
  /** The mailbox of an issue by what people write, `organization/project` and iid; null when there is none. */
  find: query({
    input: z.object({ projectPath: z.string().max(300), iid: z.number().int().positive() }),
    output: z.object({ mailboxId: mailboxIdSchema }).nullable(),
  }),
  markSeen: command({ input: z.object({ mailboxId: mailboxIdSchema }), output: z.null() }),
  /** Sets the label `ai::validate_plan` as the person; the workflow does the rest. */
  validatePlan: command({
    input: z.object({ mailboxId: mailboxIdSchema }),
    output: z.null(),
    error: mailboxCommandError,
  }),
  /** The push of the mailbox that waits for a person; null when none does. */
  pendingPush: query({
    input: z.object({ mailboxId: mailboxIdSchema }),
    output: pendingPushSchema.nullable(),
  }),
  /** Agrees to publish exactly this head, as `pendingPush` showed it. */
  approvePush: command({
    input: z.object({ mailboxId: mailboxIdSchema, headSha: z.string().max(64) }),
    output: z.object({ runId: runIdSchema }),
    error: mailboxCommandError,
  }),
  /** Takes exactly these commits off the branch, keeps them, and does the phase again without them. */
  goOnWithoutPush: command({
    input: z.object({ mailboxId: mailboxIdSchema, headSha: z.string().max(64) }),
    output: z.object({
      kept: keptWorkSchema,
      /** The run that does it again; null when none could be queued. */
      nextRunId: runIdSchema.nullable(),
    }),
    error: mailboxCommandError,
  }),
  /** Throws exactly these commits away; the mailbox waits for what a person says next. */
  discardPush: command({
    input: z.object({ mailboxId: mailboxIdSchema, headSha: z.string().max(64) }),
    output: z.object({ runId: runIdSchema }),
    error: mailboxCommandError,
  }),
  /** Removes memory, workspace and repository of the mailbox; its runs stay to be read. */
  cleanUp: command({
    input: z.object({ mailboxId: mailboxIdSchema, force: z.boolean() }),
    output: z.object({
      /** false while sessions are switched off for the project: their state is left alone. */
      memoryRemoved: z.boolean(),
    }),
    error: cleanUpError,
  }),
  /** The largest first. */
  finishedWorkspaces: query({ input: z.object({}), output: z.array(finishedWorkspaceSchema) }),
  /** Removes workspaces alone; one that is in use, or holds work, is left as it is. */
  freeWorkspaces: command({
    input: z.object({ mailboxIds: z.array(mailboxIdSchema).max(1_000) }),
    output: z.object({ removed: z.number(), bytes: z.number() }),
  }),
  /** Takes an issue up by assigning it to Alfred (local forge) or queues a run again. */
  startWork: command({
    input: z.object({ mailboxId: mailboxIdSchema }),
    output: z.null(),
    error: mailboxCommandError,
  }),
} as const
