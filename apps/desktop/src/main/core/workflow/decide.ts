import type { RunFailure } from '@shared/contract/runs'
import { closedWithoutMerge, decideClosedChange, decideReopenedChange } from './closed-change'
import { commentAfter, reviewAfterChange } from './comment-after'
import { decideCommandLabels, eventCause } from './decide-labels'
import { moveTo, statusDuring } from './moves'
import { decideStatusLabel } from './decide-status-label'
import type { MailboxChange, WorkflowCommand } from './commands'
import { isUnfinished, type PostFacts, type WorkflowFacts } from './facts'
import { typeOf } from './labels'
import { publishesAgain } from './refused-push'
import { acknowledgementText } from './texts'
import { askAgain, askToValidate, begin, mustValidateAgain } from './validate-again'

/*
 * What follows from an issue as it is now. Deciding twice from the same facts, with the first decision stored,
 * gives nothing new. What follows from the end of a run stands in decide-run-end.ts.
 */

export function decide(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const sync = [...syncMailbox(facts), ...resetBranch(facts)]
  if (facts.mailbox.status === null) return [...sync, ...(isEligible(facts) ? takeUp(facts) : [])]

  const merged = newlyMerged(facts)
  // What a run that is ending leaves behind is looked at once it has ended.
  if (merged !== null) {
    return facts.liveRunId === null
      ? [...sync, ...moveTo('done', merged), ...deleteBranch(facts, merged)]
      : [...sync, ...pause(facts, 'Its change was merged.')]
  }
  if (!isEligible(facts)) return [...sync, ...pause(facts, whyNotEligible(facts))]
  const closed = closedWithoutMerge(facts)
  if (closed !== null) {
    return facts.liveRunId === null
      ? [...sync, ...decideClosedChange(facts, closed)]
      : [...sync, ...pause(facts, 'Its change was closed without being merged.')]
  }
  const reopened = decideReopenedChange(facts)
  if (reopened.length > 0) return [...sync, ...reopened]
  const goOn = goOnAfterPause(facts)
  if (goOn.length > 0) return [...sync, ...goOn]
  const commanded = decideCommandLabels(facts)
  const running = decideRunning(facts)
  if (running.length > 0) return [...sync, ...running, ...commanded]
  if (commanded.some((command) => command.type === 'update_mailbox')) return [...sync, ...commanded]
  return [
    ...sync,
    ...commanded,
    ...decideStatusLabel(facts),
    ...askAgain(facts),
    ...decideAnswered(facts),
    ...decideChange(facts),
  ]
}

const MERGED = 'merged:'

/** Whether a status was posted because the change was merged. */
export const isMerge = (cause: string): boolean => cause.startsWith(MERGED)

/** Names the merge that makes the issue done; null when there is none, or it did so already. */
function newlyMerged({ snapshot, posts }: WorkflowFacts): string | null {
  const merged = snapshot.changes.find((change) => change.state === 'merged')
  const cause = merged === undefined ? null : `${MERGED}${merged.iid}:${snapshot.issue.createdAt}`
  // Work that begins again after it, on a reopened issue, is not done by the old merge.
  return cause !== null && posts.some((post) => post.kind === 'status' && post.cause === cause) ? null : cause
}

/** What was merged, by squash too, is in the target: the branch goes, where nobody else pushed to it. */
function deleteBranch(
  { mailbox, posts, deletesBranch }: WorkflowFacts,
  cause: string,
): readonly WorkflowCommand[] {
  const pushed = posts.findLast((post) => post.kind === 'push' && post.state === 'sent')
  const { branchName: branch } = mailbox
  if (!deletesBranch || branch === null || !pushed?.remoteId || pushed.runId === null) return []
  return [{ type: 'delete_branch', runId: pushed.runId, branch, headSha: pushed.remoteId, cause }]
}

/** Whether Alfred may work on the issue: open, and assigned to its account or labelled for it. */
export function isEligible(
  facts: Pick<WorkflowFacts, 'accountId'> & {
    readonly snapshot: Pick<WorkflowFacts['snapshot'], 'issue'>
    readonly settings: Pick<WorkflowFacts['settings'], 'triggerLabel'>
  },
): boolean {
  return facts.snapshot.issue.isOpen && triggerOf(facts) !== null
}

function triggerOf(facts: Parameters<typeof isEligible>[0]): 'assigned' | 'trigger_label' | null {
  const { issue } = facts.snapshot
  if (issue.assignees.some((person) => person.id === facts.accountId)) return 'assigned'
  const { triggerLabel } = facts.settings
  return triggerLabel !== null && issue.labels.includes(triggerLabel) ? 'trigger_label' : null
}

function whyNotEligible({ snapshot: { issue }, settings: { triggerLabel } }: WorkflowFacts): string {
  if (!issue.isOpen) return 'The issue was closed.'
  return triggerLabel === null
    ? 'The issue was taken away from Alfred.'
    : `The issue was taken away from Alfred: it is not assigned to it and has no label ${triggerLabel}.`
}

function syncMailbox({ snapshot: { issue, changes }, mailbox }: WorkflowFacts): readonly WorkflowCommand[] {
  const openIid = changes.find((change) => change.state === 'open')?.iid
  const change: MailboxChange = {
    ...(issue.title === mailbox.title ? {} : { title: issue.title }),
    ...(issue.isOpen === mailbox.isOpen ? {} : { isOpen: issue.isOpen }),
    ...(openIid === undefined || openIid === mailbox.changeIid ? {} : { changeIid: openIid }),
  }
  return Object.keys(change).length === 0 ? [] : [{ type: 'update_mailbox', change }]
}

function takeUp(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const { issue } = facts.snapshot
  const isQuestion = typeOf(issue.labels) === 'type::question'
  // Made of what the forge keeps, so that a restored database acknowledges nothing twice.
  const cause = `taken-up:${issue.iid}:${issue.createdAt}`
  return [
    { type: 'update_mailbox', change: { baseBranch: issue.branchReference } },
    { type: 'post_comment', kind: 'acknowledgement', cause, text: acknowledgementText(isQuestion) },
    ...moveTo('functional_analysis', cause),
    {
      type: 'request_run',
      phase: isQuestion ? 'answer' : 'analysis',
      trigger: triggerOf(facts) ?? 'assigned',
      requestedBy: null,
    },
  ]
}

const forgeChanged = (message: string): RunFailure => ({ type: 'forge_changed', message })

function pause(facts: WorkflowFacts, message: string): readonly WorkflowCommand[] {
  return facts.liveRunId === null
    ? []
    : [{ type: 'stop_run', runId: facts.liveRunId, reason: forgeChanged(message) }]
}

/** A run that was paused because of the issue goes on once the issue is Alfred's again. */
function goOnAfterPause(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const { latestRun, mailbox } = facts
  if (facts.liveRunId !== null || latestRun?.failure?.type !== 'forge_changed') return []
  if (mailbox.status === 'done' || mailbox.status === 'waiting_validation') return []
  const changed = latestRun.phase === 'development' ? mustValidateAgain(facts) : null
  if (changed !== null) return askToValidate(facts, changed)
  return [
    {
      type: 'request_run',
      phase: latestRun.phase,
      trigger: triggerOf(facts) ?? 'assigned',
      requestedBy: null,
    },
  ]
}

/** A run that a person asked for in the window: the status follows it. */
function decideRunning(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const { latestRun, mailbox } = facts
  if (latestRun?.isLive !== true || mailbox.status === null) return []
  const status = statusDuring(latestRun.phase)
  const isAnalysis = status === 'functional_analysis' && mailbox.status === 'technical_analysis'
  return status === null || status === mailbox.status || isAnalysis
    ? []
    : moveTo(status, `running:${latestRun.uid}`)
}

/** Questions were asked, and somebody who is followed has written since. */
function decideAnswered(facts: WorkflowFacts): readonly WorkflowCommand[] {
  if (facts.mailbox.status !== 'waiting_info' || facts.liveRunId !== null) return []
  const answer = commentAfter(facts, 'questions')
  if (answer === null) return []
  return begin(facts, {
    phase: facts.latestRun?.phase ?? 'analysis',
    trigger: 'answered',
    requestedBy: answer.author.login,
    cause: `answered:${answer.id}:${facts.latestRun?.uid ?? ''}`,
  })
}

/** Why a change moved on from its development; the first word of the cause of that move. */
type ChecksCause = 'green' | 'checks' | 'no-checks'

/** Whether the posts tell of a commit status that a change of the issue had. */
export const hadChecks = (posts: readonly Pick<PostFacts, 'kind' | 'cause'>[]): boolean =>
  posts.some(({ kind, cause }) => kind === 'status' && /^(?:green|checks):/.test(cause))

/** A change was opened so lately that its first check may still come: what follows is told by time alone. */
export function isEarlyForChecks(facts: WorkflowFacts): boolean {
  const { mailbox, liveRunId, now } = facts
  const opened = facts.posts.findLast((post) => post.kind === 'change' && post.state === 'sent')
  const isWaiting = mailbox.status === 'in_development' && liveRunId === null
  return isWaiting && now - (opened?.sentAt ?? now) < facts.statusGraceMs
}

/** A change is open: its checks, its review, its conflicts. */
function decideChange(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const { snapshot, mailbox } = facts
  const change = snapshot.changes.find(({ state }) => state === 'open')
  const opened = facts.posts.findLast((post) => post.kind === 'change' && post.state === 'sent')
  // A newer push under way: what is open is not yet what will be reviewed.
  const isPublishing = facts.posts.some(
    (post) => isUnfinished(post) && (post.kind === 'push' || post.kind === 'change'),
  )
  if (facts.liveRunId !== null || isPublishing) return []
  if (change === undefined || opened === undefined) return needsPerson(facts, false)
  const cause = (what: ChecksCause): string => `${what}:${opened.cause}`
  const hasWork =
    change.hasConflicts || snapshot.headStatus === 'failure' || reviewAfterChange(facts) !== null
  switch (mailbox.status) {
    case 'in_development': {
      if (snapshot.headStatus === 'success') return moveTo('in_review', cause('green'))
      if (snapshot.headStatus !== null) return moveTo('in_ci', cause('checks'))
      return isEarlyForChecks(facts) ? [] : moveTo('in_review', cause('no-checks'))
    }
    case 'in_ci':
      return snapshot.headStatus === 'success'
        ? moveTo('in_review', cause('green'), hasWork ? 'not_built' : null)
        : needsPerson(facts, hasWork)
    case 'in_review':
      return needsPerson(facts, hasWork)
    default:
      return needsPerson(facts, false)
  }
}

/**
 * Fixing checks, answering reviews and solving conflicts are for people so far; the status stays as it is. Once there
 * is nothing of that any more, nobody is waited for.
 */
function needsPerson(facts: WorkflowFacts, isNeeded: boolean): readonly WorkflowCommand[] {
  const { needsYou } = facts.mailbox
  if (isNeeded && needsYou === null) return [{ type: 'update_mailbox', change: { needsYou: 'not_built' } }]
  // Blocked: no agent could work on it. Only the next run, or a person, changes that.
  return !isNeeded && needsYou === 'not_built' && facts.mailbox.status !== 'blocked' && !wasAskedInVain(facts)
    ? [{ type: 'update_mailbox', change: { needsYou: null } }]
    : []
}

/** A command was taken off that is not built yet, and neither status nor change have moved since. */
function wasAskedInVain({ posts, snapshot }: WorkflowFacts): boolean {
  const moved = posts.findLastIndex((post) => post.kind === 'status' || post.kind === 'change')
  const since = posts.slice(moved + 1).filter((post) => post.kind === 'remove_label')
  const taken = new Set(since.map(({ cause }) => cause))
  return snapshot.labelEvents.some(
    (event) => event.label !== 'ai::validate_plan' && taken.has(eventCause(event)),
  )
}

/** A branch that was pushed, is deleted on the forge and has nothing open frees its name for later runs. */
function resetBranch(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const { mailbox, snapshot, posts } = facts
  const pushed = posts.findLast((post) => post.kind === 'push')
  const isGone =
    mailbox.branchName !== null &&
    !snapshot.branchExists &&
    snapshot.changes.every(({ state }) => state !== 'open') &&
    // A push that git calls done is known to some forges only seconds later.
    pushed?.state === 'sent' &&
    (pushed.sentAt ?? facts.readAt) < facts.readAt - 60_000 &&
    (facts.latestRun?.id ?? 0) <= (pushed.runId ?? 0) &&
    // What is published again keeps its name.
    publishesAgain(facts) === null
  return isGone && facts.liveRunId === null && !facts.isTalking && !posts.some(isUnfinished)
    ? [{ type: 'update_mailbox', change: { branchName: null } }]
    : []
}
