import {
  transcriptEventSchema,
  sandboxContractSchema,
  type RunDetail,
  type SandboxContract,
  type TranscriptEvent,
} from '@shared/contract/runs'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { Run, RunAttempt } from '@shared/model/records'
import type { AdapterId } from '@shared/model/words'
import { memoryLetter } from '@shared/timeline/memory-letters'
import { parseFailure } from '../../core/run/run-row'
import type { OutboxItem, Store, StoredEvent } from '../../ports/stores'
import { declinedPost } from '../workflow/waiting-push'
import { withImageName } from './image-name'
import type { QueryParts } from './query-parts'
import { sumOf, toTimelineRow } from './timeline-rows'

/** Runs of the same memory that are listed beside a run. */
const sameMemoryLimit = 500
const diffBytes = 2_000_000

export interface RunQueries {
  get(id: RunId): Promise<RunDetail | null>
  events(
    id: RunId,
    afterSeq: number | null,
    beforeSeq: number | null,
    limit: number,
  ): { events: TranscriptEvent[]; total: number } | null
  diff(id: RunId): Promise<{ readonly patch: string; readonly cut: boolean } | null>
  prompt(id: RunId): Promise<string | null>
  rawLog(
    id: RunId,
    stream: 'stdout' | 'stderr',
    offset: number,
    limit: number,
  ): Promise<{ text: string; offset: number; totalBytes: number } | null>
}

export function createRunQueries(parts: QueryParts): RunQueries {
  const { store, files } = parts
  return {
    get: (id) => runDetail(parts, id),
    events(id, afterSeq, beforeSeq, limit) {
      if (store.runs.find(id) === null) return null
      const found =
        afterSeq !== null
          ? store.events.list(id, afterSeq, limit)
          : store.events.listBefore(id, beforeSeq ?? Number.MAX_SAFE_INTEGER, limit)
      return { events: found.map(toTranscriptEvent), total: store.events.count(id) }
    },
    diff: (id) => runDiff(parts, id),
    async prompt(id) {
      const run = store.runs.find(id)
      return run === null ? null : files.readInput(run.uid, 'prompt')
    },
    async rawLog(id, stream, offset, limit) {
      const run = store.runs.find(id)
      const start = run === null ? null : lastStart(parts, run)
      return run === null || start === null ? null : files.readLog(run.uid, start, stream, offset, limit)
    },
  }
}

/** A stored event that cannot be read any more (from another version) is shown as what it is. */
export function toTranscriptEvent({ seq, at, kind, payload }: StoredEvent): TranscriptEvent {
  const parsed = transcriptEventSchema.safeParse({ seq, at, kind, payload })
  return parsed.success
    ? parsed.data
    : { seq, at, kind: 'output', payload: { text: JSON.stringify(payload) } }
}

async function runDetail(parts: QueryParts, id: RunId): Promise<RunDetail | null> {
  const { store, timeline, files, paths } = parts
  const record = timeline.one(id)
  if (record === null) return null
  const { run } = record
  const mailbox = store.mailboxes.get(run.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const row = toTimelineRow(record, store.installations.list())
  const attempts = store.runs.listAttempts(id)
  const start = lastStart(parts, run)
  const latest = record.sessions.at(-1)
  const sandbox = sandboxOf(parts, attempts)
  const { values: settings } = parts.settings.of(project)
  return {
    row,
    mailboxId: mailbox.id,
    mailboxKind: mailbox.kind,
    forgeKind: store.forges.getForge(project.forgeId).kind,
    mailboxIid: mailbox.iid,
    mailboxTitle: mailbox.title,
    trigger: run.trigger,
    requestedBy: run.requestedBy,
    failure: parseFailure(run.error),
    llmRetries: run.llmRetries,
    attempts: attempts.map((attempt) => attemptOf(parts, attempt)),
    nextAttemptAt: run.nextAttemptAt,
    deadline: run.deadline,
    // The limit that it was started with, though the setting may be another one by now.
    timeoutMs: sandbox?.timeoutMs ?? settings.RUN_TIMEOUT,
    // Of a run that goes on the one that holds now: it is looked up whenever a cost is told.
    budgetUsd: run.state === 'ended' ? (sandbox?.budgetUsd ?? null) : settings.RUN_BUDGET_USD,
    sandbox,
    contextUsed: latest?.contextUsed ?? null,
    contextMax: latest?.contextMax ?? null,
    toolCalls: sumOf(record.sessions.map(({ toolCalls }) => toolCalls)),
    eventCount: store.events.count(id),
    rawLogBytes: start === null ? null : await files.logBytes(run.uid, start),
    changedFiles: await changedFiles(parts, run),
    commits: run.commits ?? 0,
    branchName: mailbox.branchName,
    baseSha: run.baseSha,
    headSha: run.headSha,
    outbox: outboxRows(store, id),
    sameMemory:
      row.nativeSessionId === null
        ? []
        : [...timeline.runsOfMemory(mailbox.id, row.adapter, row.nativeSessionId, sameMemoryLimit)],
    retryLetter: retryLetter(parts, mailbox.id, row.adapter),
    folder: paths.run(run.uid),
  }
}

function retryLetter(
  { store, timeline }: QueryParts,
  mailboxId: MailboxId,
  adapter: AdapterId,
): string | null {
  const prior = store.sessions.findPrior(mailboxId, adapter, null)?.nativeSessionId ?? null
  const index = timeline
    .memories(mailboxId)
    .findIndex((memory) => memory.adapter === adapter && memory.nativeSessionId === prior)
  return index === -1 ? null : memoryLetter(index)
}

const attemptOf = ({ store }: QueryParts, attempt: RunAttempt): RunDetail['attempts'][number] => ({
  number: attempt.number,
  outcome: attempt.outcome,
  startedAt: attempt.startedAt,
  endedAt: attempt.endedAt,
  starts: store.runs
    .listStarts(attempt.id)
    .map(({ kind, exitCode, startedAt, endedAt }) => ({ kind, exitCode, startedAt, endedAt })),
})

function sandboxOf({ store }: QueryParts, attempts: readonly RunAttempt[]): SandboxContract | null {
  for (const attempt of attempts.toReversed()) {
    const parsed = sandboxContractSchema.safeParse(store.runs.sandboxOf(attempt.id))
    if (parsed.success) return withImageName(parsed.data, store.images.list())
  }
  return null
}

/** The start whose log is shown: the last one in which a CLI ran. */
function lastStart(
  { store }: QueryParts,
  run: Run,
): { readonly attempt: number; readonly start: number } | null {
  for (const attempt of store.runs.listAttempts(run.id).toReversed()) {
    const start = store.runs.listStarts(attempt.id).findLast(({ kind }) => kind !== 'collect')
    if (start) return { attempt: attempt.number, start: start.number }
  }
  return null
}

async function openRepository({ git, paths, store }: QueryParts, run: Run) {
  const mailbox = store.mailboxes.get(run.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const organization = store.forges.getOrganization(project.organizationId)
  return git.openMailboxRepository(paths.repository({ organization, project, mailbox }))
}

async function changedFiles(parts: QueryParts, run: Run): Promise<RunDetail['changedFiles']> {
  if (run.baseSha === null || run.headSha === null) return []
  const repository = await openRepository(parts, run)
  const files = repository.ok ? await repository.value.changedFiles(run.baseSha, run.headSha) : repository
  return files.ok ? files.value.map((file) => ({ ...file })) : []
}

async function runDiff(
  parts: QueryParts,
  id: RunId,
): Promise<{ readonly patch: string; readonly cut: boolean } | null> {
  const run = parts.store.runs.find(id)
  if (run === null) return null
  if (run.baseSha === null || run.headSha === null) return { patch: '', cut: false }
  const repository = await openRepository(parts, run)
  const diff = repository.ok ? await repository.value.diff(run.baseSha, run.headSha, diffBytes) : repository
  return diff.ok ? diff.value : { patch: '', cut: false }
}

/** What was written to the forge for a run; a push that a person decided against is `dropped`. */
export function outboxRows(store: Store, id: RunId): RunDetail['outbox'] {
  const posts = store.outbox.listByRun(id)
  const declined = declinedPost(store, id, posts)
  return posts.map((post) => toOutboxRow(post === declined ? { ...post, state: 'dropped' } : post))
}

function toOutboxRow(item: OutboxItem): RunDetail['outbox'][number] {
  const { id, kind, target, state, attempts, lastError, nextAttemptAt, sentAt, payload } = item
  const isWaiting = state === 'waiting' || state === 'sending'
  return {
    id,
    kind,
    target,
    state,
    attempts,
    lastError,
    nextAttemptAt: isWaiting ? nextAttemptAt : null,
    sentAt,
    summary: summaryOf(payload),
  }
}

/** What is written, in its first line: a text, else the label or status that it sets; empty for a push. */
function summaryOf(payload: unknown): string {
  const fields = new Map(typeof payload === 'object' && payload !== null ? Object.entries(payload) : [])
  const shown = ['text', 'summary', 'status', 'label']
    .map((name) => fields.get(name))
    .find((value) => typeof value === 'string')
  return typeof shown === 'string' ? (shown.trim().split('\n', 1)[0] ?? '').slice(0, 160) : ''
}
