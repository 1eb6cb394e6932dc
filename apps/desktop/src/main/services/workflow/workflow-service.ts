import { assertPresent } from '@shared/assert'
import type { MailboxId, ProjectId, RunId } from '@shared/model/ids'
import type { Mailbox, Project, Run } from '@shared/model/records'
import { typeLabelSchema } from '@shared/model/words'
import { err, ok, type Result } from '@shared/result'
import { decide, isEarlyForChecks, isEligible, isMerge } from '../../core/workflow/decide'
import { decideRunEnd, type EarlierWork } from '../../core/workflow/decide-run-end'
import { typeOf } from '../../core/workflow/labels'
import type { ForgeError, ForgeIssue, ForgeIssueSnapshot } from '../../ports/forge'
import type { Store } from '../../ports/stores'
import { storeApproval, storeDiscard, storeGoOnWithout } from './answer-waiting-push'
import { gatherFacts, LOOK_BACK, toRunFacts } from './gather-facts'
import { rememberHandled } from './handled-change'
import { mayNotSend, releaseHeld } from './hold-posts'
import { createKeyedQueue } from './keyed-queue'
import { outboxPayloadSchema } from './outbox-payload'
import type { FinishedRun, KeptWork, PushError, RunEndListener, RunPrompts } from './ports-of-workflow'
import { buildRunPrompt, readIssueWords } from './run-prompt'
import { storeCommands, type AfterCommit } from './store-commands'
import { headOfPush, runOfWaitingPush } from './waiting-push'
import { toPost } from './to-post'
import { talkUnderWay } from './unpushed-talk'
import type { WorkflowParts } from './workflow-parts'

export interface WorkflowService extends RunEndListener, RunPrompts {
  /** Reads the issue and does what follows from it. Calls for one issue go one after the other. */
  consider(projectId: ProjectId, iid: number): Promise<Result<void, ForgeError>>
  /** Whether the issue is, or would become, a mailbox: others are not read any further. */
  isOfInterest(project: Project, issue: ForgeIssue): boolean
  /**
   * A person agrees to publish what they saw, although it touches PUSH_NEEDS_PERSON; returns the run of that push.
   * Null when no push of that head waits for it.
   */
  approvePush(mailboxId: MailboxId, headSha: string, who: string): RunId | null
  /** They do not: the phase is done again without these commits, which are kept. */
  goOnWithout(mailboxId: MailboxId, headSha: string, who: string): Promise<Result<LeftOut, NotLeftOut>>
  /** They do not, and nothing of it is kept: the mailbox waits until somebody says what comes next. */
  discardPush(mailboxId: MailboxId, headSha: string, who: string): Promise<Result<RunId, NotLeftOut>>
}

export interface LeftOut {
  readonly kept: KeptWork
  /** The run that does it again; null when none could be queued. */
  readonly nextRunId: RunId | null
}

/** `nothing_to_push`: no push of that head waits. */
export type NotLeftOut = { readonly type: 'nothing_to_push' } | PushError

/** `wakeSender`: there may be new posts. */
export function createWorkflowService(parts: WorkflowParts, wakeSender: () => void): WorkflowService {
  const { store, clock, changes, runs } = parts
  const inOrder = createKeyedQueue()
  const endedRuns = new Map<RunId, AfterCommit>()

  const tell = (mailbox: Mailbox): void =>
    changes.publish({ type: 'mailbox', mailboxId: mailbox.id, projectId: mailbox.projectId })

  const perform = (mailbox: Mailbox, after: AfterCommit): void => {
    tell(mailbox)
    for (const { runId, reason } of after.stops) runs.stopRun(runId, reason)
    if (after.hasNewRun) runs.kick()
    if (after.hasNewPosts) wakeSender()
  }

  const considerNow = async (projectId: ProjectId, iid: number): Promise<Result<void, ForgeError>> => {
    const project = store.forges.getProject(projectId)
    const known = store.mailboxes.find(projectId, 'issue', iid)
    const readAt = clock.now()
    const snapshot = await parts.forgeOf(project).readIssue(project, iid, known?.branchName ?? null)
    if (!snapshot.ok) return err(snapshot.error)
    const done = store.transaction(() => decideAndStore(parts, project, snapshot.value, readAt))
    if (done !== null) perform(done.mailbox, done.after)
    return ok(undefined)
  }

  /** First the repository, then the rows: what a crash leaves in between is answered again. */
  const takeBack = async (
    mailboxId: MailboxId,
    headSha: string,
    keep: boolean,
  ): Promise<Result<KeptWork | null, NotLeftOut>> => {
    const run = runOfWaitingPush(store, store.mailboxes.get(mailboxId))
    if (run === null || headOfPush(run) !== headSha) return err({ type: 'nothing_to_push' })
    return inUse(mailboxId) ?? parts.pusher.takeBack(run, { keep })
  }

  /** Why commits cannot be taken back now: something works on top of them, or a part of them is being pushed. */
  const inUse = (mailboxId: MailboxId): Result<never, PushError> | null => {
    const live = store.runs.findLive(mailboxId)
    if (live === null && talkUnderWay(store, mailboxId) === null) return null
    const message =
      live === null
        ? 'Commits of a chat of this issue are on their way to the forge. Wait until they are there.'
        : `Run ${live.id} of this issue goes on with these commits. Wait for its end or stop it first.`
    return err({ type: 'refused', message })
  }

  const storeAnswer = (
    mailboxId: MailboxId,
    decideIn: (mailbox: Mailbox) => { readonly runId: RunId; readonly after: AfterCommit } | null,
  ): Result<RunId, NotLeftOut> => {
    const mailbox = store.mailboxes.get(mailboxId)
    // Taking back took time: a turn may have begun.
    const answered = store.transaction(() => inUse(mailboxId) ?? ok(decideIn(mailbox)))
    if (!answered.ok) return answered
    if (answered.value === null) return err({ type: 'nothing_to_push' })
    perform(mailbox, answered.value.after)
    return ok(answered.value.runId)
  }

  return {
    consider: (projectId, iid) => inOrder(`${projectId}:${iid}`, () => considerNow(projectId, iid)),
    isOfInterest: (project, issue) =>
      store.mailboxes.find(project.id, 'issue', issue.iid) !== null || isForAlfred(parts, project, issue),
    onRunEnded: (finished) => {
      const after = store.transaction(() => storeRunEnd(parts, finished))
      if (after !== null) endedRuns.set(finished.runId, after)
    },
    afterRunEnded: (runId) => {
      const after = endedRuns.get(runId)
      endedRuns.delete(runId)
      const { mailboxId } = store.runs.get(runId)
      if (after !== undefined) perform(store.mailboxes.get(mailboxId), after)
    },
    buildPrompt: (run) => buildRunPrompt(parts, run),
    readIssue: (run) => readIssueWords(parts, run),
    approvePush: (mailboxId, headSha, who) => {
      const mailbox = store.mailboxes.get(mailboxId)
      const approved = store.transaction(() => storeApproval(parts, mailbox, headSha, who))
      if (approved !== null) perform(mailbox, approved.after)
      return approved?.runId ?? null
    },
    goOnWithout: async (mailboxId, headSha, who) => {
      const kept = await takeBack(mailboxId, headSha, true)
      if (!kept.ok) return kept
      const work = assertPresent(kept.value, 'kept work has a place')
      const left = storeAnswer(mailboxId, (mailbox) => storeGoOnWithout(parts, mailbox, headSha, who, work))
      if (!left.ok) return left
      return ok({ kept: work, nextRunId: store.runs.findLive(mailboxId)?.id ?? null })
    },
    discardPush: async (mailboxId, headSha, who) => {
      const taken = await takeBack(mailboxId, headSha, false)
      if (!taken.ok) return taken
      return storeAnswer(mailboxId, (mailbox) => storeDiscard(parts, mailbox, headSha, who))
    },
  }
}

function isForAlfred(parts: WorkflowParts, project: Project, issue: ForgeIssue): boolean {
  const { accountId } = parts.store.forges.getForge(project.forgeId)
  const triggerLabel = parts.settings.of(project).values.AGENT_TRIGGER_LABEL
  return isEligible({ accountId, snapshot: { issue }, settings: { triggerLabel } })
}

function decideAndStore(
  parts: WorkflowParts,
  project: Project,
  snapshot: ForgeIssueSnapshot,
  readAt: number,
): { readonly mailbox: Mailbox; readonly after: AfterCommit } | null {
  const { store, clock } = parts
  const { issue } = snapshot
  const known = store.mailboxes.find(project.id, 'issue', issue.iid)
  if (known === null && !isForAlfred(parts, project, issue)) return null
  const { iid, title } = issue
  const mailbox =
    known ?? store.mailboxes.ensure({ projectId: project.id, kind: 'issue', iid, title }, clock.now())
  rememberType(parts, project, issue)
  const facts = gatherFacts(parts, { project, mailbox, snapshot, readAt })
  const commands = decide(facts)
  const after = storeCommands(parts, mailbox, commands, null)
  const maySend = !mayNotSend(parts, project, store.mailboxes.get(mailbox.id), snapshot)
  const isReleased = maySend && releaseHeld(parts, mailbox)
  const isAtRest = commands.length === 0 && known !== null && !isReleased
  rememberHandled(parts, project, mailbox, isAtRest && !isEarlyForChecks(facts) ? snapshot : null)
  if (isAtRest) return null
  return { mailbox, after: { ...after, hasNewPosts: after.hasNewPosts || isReleased } }
}

/*
 * Whether the issue asks for an analysis only is needed when a run ends, where nothing can be read: it is kept
 * beside the poll's cursors, as what was last seen of the issue.
 */
const typeCursor = (iid: number): string => `issue-type:${iid}`

function rememberType({ store, clock }: WorkflowParts, project: Project, issue: ForgeIssue): void {
  const type = typeOf(issue.labels)
  const known = store.cursors.get(project.forgeId, project.id, typeCursor(issue.iid))
  if (known !== type) store.cursors.set(project.forgeId, project.id, typeCursor(issue.iid), type, clock.now())
}

function storeRunEnd(parts: WorkflowParts, finished: FinishedRun): AfterCommit | null {
  const { store, settings } = parts
  const run = store.runs.get(finished.runId)
  const mailbox = store.mailboxes.get(run.mailboxId)
  const hasBeenTold = store.outbox.listByRun(run.id).some(({ payload }) => isCausedBy(payload, run))
  if (mailbox.kind !== 'issue' || hasBeenTold) return null
  const project = store.forges.getProject(mailbox.projectId)
  const type = store.cursors.get(project.forgeId, project.id, typeCursor(mailbox.iid))
  const commands = decideRunEnd({
    run: toRunFacts(run),
    iid: mailbox.iid,
    result: finished.result,
    commits: finished.commits,
    issueSha256: finished.issueSha256,
    type: typeLabelSchema.catch('type::task').parse(type),
    status: mailbox.status,
    earlierWork: earlierWork(store, mailbox, run),
    requiresValidation: settings.of(project).values.REQUIRE_PLAN_VALIDATION,
  })
  return storeCommands(parts, mailbox, commands, run)
}

/** What of the issue's commits the run began with, and whether the forge has it in a change. */
function earlierWork(store: Store, mailbox: Mailbox, run: Run): EarlierWork {
  const posts = store.outbox.listByMailbox(mailbox.id)
  const { baseSha } = run
  const isOurs =
    baseSha !== null &&
    store.runs.listByMailbox(mailbox.id, LOOK_BACK, null).some(({ headSha }) => headSha === baseSha)
  const pushed = posts.findLastIndex(
    ({ kind, state, remoteId }) => kind === 'push' && state === 'sent' && remoteId === baseSha,
  )
  if (isOurs && pushed === -1) return 'unpushed'
  const opened = posts.findLastIndex(({ kind, state }) => kind === 'change' && state === 'sent')
  const merged = posts.findLastIndex((post) => post.kind === 'status' && isMerge(toPost(post).cause))
  if (opened > merged) return 'in_change'
  // Commits of a chat may be on the forge without a change.
  return isOurs && pushed > merged ? 'unpushed' : 'none'
}

function isCausedBy(payload: unknown, run: Run): boolean {
  const parsed = outboxPayloadSchema.safeParse(payload)
  return parsed.success && (parsed.data.cause === run.uid || parsed.data.cause.startsWith(`${run.uid}:`))
}
