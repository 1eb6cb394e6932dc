import type { MailboxId, ProjectId, RunId } from '@shared/model/ids'
import type { Mailbox, Project, Run } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import type { WorkflowCommand } from '../../core/workflow/commands'
import { decide, isEligible } from '../../core/workflow/decide'
import { decideRunEnd, publish } from '../../core/workflow/decide-run-end'
import { typeOf } from '../../core/workflow/labels'
import type { ForgeError, ForgeIssue, ForgeIssueSnapshot } from '../../ports/forge'
import { gatherFacts, toRunFacts } from './gather-facts'
import { mayNotSend, releaseHeld } from './hold-posts'
import { createKeyedQueue } from './keyed-queue'
import { outboxPayloadSchema } from './outbox-payload'
import type { FinishedRun, RunEndListener, RunPrompts } from './ports-of-workflow'
import { buildRunPrompt } from './run-prompt'
import { storeCommands, type AfterCommit } from './store-commands'
import type { WorkflowParts } from './workflow-parts'

export interface WorkflowService extends RunEndListener, RunPrompts {
  /** Reads the issue and does what follows from it. Calls for one issue go one after the other. */
  consider(projectId: ProjectId, iid: number): Promise<Result<void, ForgeError>>
  /** Whether the issue is, or would become, a mailbox: others are not read any further. */
  isOfInterest(project: Project, issue: ForgeIssue): boolean
  /** A person agrees to push what touches PUSH_NEEDS_PERSON. False when nothing waits for that. */
  approvePush(mailboxId: MailboxId, who: string): boolean
}

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
    approvePush: (mailboxId, who) => {
      const mailbox = store.mailboxes.get(mailboxId)
      const after = store.transaction(() => storeApproval(parts, mailbox, who))
      if (after !== null) perform(mailbox, after)
      return after !== null
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
  if (commands.length === 0 && known !== null && !isReleased) return null
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
    endsAtPlan: type === 'type::analysis',
    requiresValidation: settings.of(project).values.REQUIRE_PLAN_VALIDATION,
  })
  return storeCommands(parts, mailbox, commands, run)
}

function isCausedBy(payload: unknown, run: Run): boolean {
  const parsed = outboxPayloadSchema.safeParse(payload)
  return parsed.success && (parsed.data.cause === run.uid || parsed.data.cause.startsWith(`${run.uid}:`))
}

/** The posts that waited were dropped when the push asked for a person; they are queued anew, with the consent. */
function storeApproval(parts: WorkflowParts, mailbox: Mailbox, who: string): AfterCommit | null {
  const { store, clock } = parts
  if (mailbox.needsYou !== 'push_needs_person') return null
  const items = store.outbox.listByMailbox(mailbox.id)
  const push = items.findLast((item) => item.kind === 'push')
  const runId = push?.runId ?? null
  if (runId === null) return null
  const run = store.runs.get(runId)
  const change = items.findLast((item) => item.kind === 'change' && item.runId === runId)
  const payload = outboxPayloadSchema.safeParse(change?.payload)
  const summary = payload.success && payload.data.type === 'change' ? payload.data.summary : null
  const commands: readonly WorkflowCommand[] = publish({ runId, uid: run.uid, summary, isApproved: true })
  store.audit.add({
    at: clock.now(),
    who,
    what: 'push_approved',
    mailboxId: mailbox.id,
    runId,
    detail: { headSha: run.headSha },
  })
  return storeCommands(parts, mailbox, commands, run)
}
