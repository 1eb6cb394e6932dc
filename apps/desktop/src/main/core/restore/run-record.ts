import { z } from 'zod'
import {
  attemptIdSchema,
  forgeIdSchema,
  mailboxIdSchema,
  organizationIdSchema,
  projectIdSchema,
  resumeChoiceSchema,
  runIdSchema,
  runUidSchema,
  sessionIdSchema,
  startIdSchema,
  type RunUid,
} from '@shared/model/ids'
import {
  adapterIdSchema,
  chatMessageStateSchema,
  chatRoleSchema,
  forgeKindSchema,
  mailboxKindSchema,
  outcomeSchema,
  phaseSchema,
  resumeFallbackSchema,
  runnerSchema,
  runStateSchema,
  sessionModeSchema,
  sessionOffReasonSchema,
  statusSchema,
  triggerSchema,
} from '@shared/model/words'
import type {
  ChatMessage,
  DroppedId,
  FiguresOfStart,
  Forge,
  LlmSession,
  Mailbox,
  Organization,
  Project,
  Run,
  RunAttempt,
  RunStart,
  Spending,
} from '@shared/model/records'
import { isValidBranchName } from '../forge/branch-name'
import { isTalk } from '../run/talk'

/*
 * `run.json`: enough to read a run back in when the database is lost. It lies on a disk that others write to as well,
 * so it is checked like anything that comes from outside: every field, and that the rows in it belong together.
 */

/** A start is stored without what only the machine it ran on can tell: its container, and how far it was read. */
export type RecordedStart = Pick<
  RunStart,
  'id' | 'attemptId' | 'number' | 'kind' | 'askedSessionId' | 'exitCode' | 'startedAt' | 'endedAt'
>

export interface RecordedPlan {
  readonly functionalAnalysis: string | null
  readonly plan: string
  readonly issueSha256: string
  readonly createdAt: number
}

/** What was said in a turn of a chat, and the chat that it belongs to. */
export interface RecordedTalk {
  readonly title: string
  /** With its issue this is the chat: no two of one issue begin at the same moment. */
  readonly createdAt: number
  readonly isFresh: boolean
  /** The run with which it began. */
  readonly anchorRunUid: RunUid
  readonly messages: readonly RecordedMessage[]
}

export interface RecordedMessage extends Pick<ChatMessage, 'role' | 'state' | 'text' | 'createdAt'> {
  /** What went along with it, by name alone: the files are in the database, and lost with it. */
  readonly files?: readonly string[] | undefined
}

export interface RunRecord {
  readonly version: 1
  readonly writtenAt: number
  readonly forge: Forge
  readonly organization: Organization
  readonly project: Project
  readonly mailbox: Mailbox
  readonly run: Run
  readonly attempts: readonly RunAttempt[]
  readonly sessions: readonly LlmSession[]
  /** These are not in the records of the first versions. */
  readonly installId?: string | undefined
  readonly starts?: readonly RecordedStart[] | undefined
  /** The mailbox's plan, when this run made it. */
  readonly plan?: RecordedPlan | null | undefined
  /** Where the project lies on its forge, and its id there; null: on the local one. */
  /** What the starts of its sessions used, and when that was told. */
  readonly figures?: readonly FiguresOfStart[] | undefined
  readonly spendings?: readonly Spending[] | undefined
  /** Those of its sessions' ids that a person dropped. */
  readonly dropped?: readonly DroppedId[] | undefined
  /** Of a turn of a chat. */
  readonly talk?: RecordedTalk | null | undefined
  readonly place?: { readonly path: string; readonly remoteId: string } | null | undefined
}

const at = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const count = at
const line = z.string().max(1_000)
const text = z.string().max(2_000_000)
const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,200}$/)
const branch = z.string().max(300).refine(isValidBranchName, 'is no branch name')
const sha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
const nativeId = z.string().min(1).max(300)

const forgeSchema = z.object({
  id: forgeIdSchema,
  kind: forgeKindSchema,
  name: line,
  baseUrl: line,
  caFile: line.nullable(),
  accountId: line,
  accountLogin: line,
})
const organizationSchema = z.object({ id: organizationIdSchema, forgeId: forgeIdSchema, slug })
const projectSchema = z.object({
  id: projectIdSchema,
  organizationId: organizationIdSchema,
  forgeId: forgeIdSchema,
  slug,
  defaultBranch: branch,
  isDemo: z.boolean(),
  isWatched: z.boolean(),
})
const mailboxSchema = z.object({
  id: mailboxIdSchema,
  projectId: projectIdSchema,
  kind: mailboxKindSchema,
  iid: z.number().int().positive(),
  title: z.string().max(100_000),
  status: statusSchema.nullable(),
  branchName: branch.nullable(),
  baseBranch: branch.nullable(),
  changeIid: z.number().int().positive().nullable(),
  isOpen: z.boolean(),
  ciFixCount: count,
  createdAt: at,
  updatedAt: at,
  seenAt: at.nullable(),
  memoryRemovedAt: at.nullable(),
  closedAt: at.nullable(),
  cleanupHeldAt: at.nullable(),
  needsYou: z
    .enum(['validate_plan', 'answer_questions', 'blocked', 'not_built', 'push_needs_person', 'unpushed_work'])
    .nullable(),
})
const runSchema = z
  .object({
    id: runIdSchema,
    uid: runUidSchema,
    mailboxId: mailboxIdSchema,
    phase: phaseSchema,
    trigger: triggerSchema,
    requestedBy: line.nullable(),
    state: runStateSchema,
    outcome: outcomeSchema.nullable(),
    error: text.refine(isJson, 'is no JSON').nullable(),
    llmRetries: count,
    runner: runnerSchema,
    adapter: adapterIdSchema,
    provider: line.nullable(),
    model: line.nullable(),
    resumeChoice: resumeChoiceSchema,
    sessionOffReason: sessionOffReasonSchema.nullable(),
    baseSha: sha.nullable(),
    headSha: sha.nullable(),
    commits: count.nullable(),
    result: z.enum(['done', 'questions', 'nothing']).nullable(),
    deadline: at.nullable(),
    remainingMs: at.nullable(),
    nextAttemptAt: at.nullable(),
    createdAt: at,
    startedAt: at.nullable(),
    endedAt: at.nullable(),
  })
  .refine(({ state, outcome }) => (state === 'ended') === (outcome !== null), 'has an outcome too early')
const attemptSchema = z.object({
  id: attemptIdSchema,
  runId: runIdSchema,
  number: z.number().int().positive(),
  imageDigest: line.nullable(),
  outcome: outcomeSchema.nullable(),
  startedAt: at,
  endedAt: at.nullable(),
})
const figures = {
  inputTokens: count.nullable(),
  cachedTokens: count.nullable(),
  outputTokens: count.nullable(),
  costUsd: z.number().min(0).nullable(),
  turns: count.nullable(),
  toolCalls: count.nullable(),
}
const sessionSchema = z.object({
  id: sessionIdSchema,
  runId: runIdSchema,
  attemptId: attemptIdSchema,
  mailboxId: mailboxIdSchema,
  adapter: adapterIdSchema,
  provider: line.nullable(),
  model: line.nullable(),
  sessionName: branch.nullable(),
  nativeSessionId: nativeId.nullable(),
  resumed: z.boolean(),
  resumeFallback: resumeFallbackSchema.nullable(),
  mode: sessionModeSchema,
  requestedSessionId: nativeId.nullable(),
  chosenSessionId: nativeId.nullable(),
  stateBytesBefore: count.nullable(),
  stateBytesAfter: count.nullable(),
  stateSavedAt: at.nullable(),
  idSetAside: z.boolean(),
  firstEventAt: at.nullable(),
  ...figures,
  contextUsed: count.nullable(),
  contextMax: count.nullable(),
  createdAt: at,
  endedAt: at.nullable(),
})
const figuresSchema = z.object({
  sessionId: sessionIdSchema,
  start: count,
  nativeSessionId: nativeId.nullable(),
  ...figures,
})
const spendingSchema = z.object({ sessionId: sessionIdSchema, at, costUsd: z.number() })
const droppedSchema = z.object({ adapter: adapterIdSchema, nativeSessionId: nativeId, droppedAt: at })
const startSchema = z.object({
  id: startIdSchema,
  attemptId: attemptIdSchema,
  number: z.number().int().positive(),
  kind: z.enum(['first', 'fallback', 'collect']),
  askedSessionId: nativeId.nullable(),
  exitCode: z.number().int().nullable(),
  startedAt: at,
  endedAt: at.nullable(),
})
const planSchema = z.object({
  functionalAnalysis: text.nullable(),
  plan: text,
  issueSha256: line,
  createdAt: at,
})

const talkSchema = z.object({
  title: line,
  createdAt: at,
  isFresh: z.boolean(),
  anchorRunUid: runUidSchema,
  messages: z
    .array(
      z.object({
        role: chatRoleSchema,
        state: chatMessageStateSchema,
        text,
        createdAt: at,
        files: z.array(z.string().max(300)).max(100).optional(),
      }),
    )
    .max(2),
})

const placeSchema = z.object({
  path: line.regex(/^[^/\s]+\/[^/\s]+$/),
  remoteId: z.string().regex(/^\d{1,15}$/),
})

export const runRecordSchema: z.ZodType<RunRecord> = z
  .object({
    version: z.literal(1),
    writtenAt: at,
    forge: forgeSchema,
    organization: organizationSchema,
    project: projectSchema,
    mailbox: mailboxSchema,
    run: runSchema,
    attempts: z.array(attemptSchema).max(1_000),
    sessions: z.array(sessionSchema).max(1_000),
    installId: z.uuid().optional(),
    starts: z.array(startSchema).max(3_000).optional(),
    plan: planSchema.nullable().optional(),
    place: placeSchema.nullable().optional(),
    figures: z.array(figuresSchema).max(4_000).optional(),
    spendings: z.array(spendingSchema).max(100_000).optional(),
    dropped: z.array(droppedSchema).max(1_000).optional(),
    talk: talkSchema.nullable().optional(),
  })
  .refine(belongsTogether, 'holds rows that do not belong together')

function belongsTogether(record: RunRecord): boolean {
  const { forge, organization, project, mailbox, run, attempts, sessions, starts } = record
  const { figures: used = [], spendings = [], dropped = [], talk } = record
  const sessionIds = new Set(sessions.map(({ id }) => id))
  const attemptIds = new Set(attempts.map(({ id }) => id))
  return (
    organization.forgeId === forge.id &&
    project.forgeId === forge.id &&
    project.organizationId === organization.id &&
    mailbox.projectId === project.id &&
    run.mailboxId === mailbox.id &&
    attemptIds.size === attempts.length &&
    attempts.every(({ runId }) => runId === run.id) &&
    sessions.every(
      (session) =>
        session.runId === run.id &&
        session.mailboxId === mailbox.id &&
        attemptIds.has(session.attemptId) &&
        (session.mode !== 'none' || session.nativeSessionId === null),
    ) &&
    (starts ?? []).every(({ attemptId }) => attemptIds.has(attemptId)) &&
    [...used, ...spendings].every(({ sessionId }) => sessionIds.has(sessionId)) &&
    (talk === null || talk === undefined || isTalk(run.phase)) &&
    new Set(talk?.messages.map(({ role }) => role)).size === (talk?.messages.length ?? 0) &&
    dropped.every((id) =>
      sessions.some(
        (session) => session.adapter === id.adapter && session.nativeSessionId === id.nativeSessionId,
      ),
    )
  )
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
