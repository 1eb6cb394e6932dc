import type { CommandLabel } from '@shared/model/words'
import type { WorkflowCommand } from './commands'
import { issueDigests } from './description-section'
import { isUnfinished, type LabelEventFacts, type WorkflowFacts } from './facts'
import { commandLabelsOf } from './labels'
import { textSha256 } from './markers'
import { moveTo, startOver } from './moves'
import { publishesAgain } from './refused-push'
import { planAgainText, planValidatedText, publishAgainText, pushWaitsText, retryText } from './texts'
import { isProof } from './trust'

/*
 * Command labels. Each is taken off as the acknowledgement, also when it is refused; one takes effect at a time.
 */

/** Names a label event so that it is handled once: never a bare number, since those repeat after a restore. */
export const eventCause = (event: LabelEventFacts): string => `label-event:${event.id}:${event.at}`

export function decideCommandLabels(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const { labels } = facts.snapshot.issue
  const commands: WorkflowCommand[] = []
  let isDone = false
  for (const label of commandLabelsOf(labels)) {
    const event =
      facts.snapshot.labelEvents.findLast(
        (candidate) => candidate.label === label && candidate.action === 'added',
      ) ?? null
    const cause = event === null ? `no-event:${label}:${facts.latestRun?.uid ?? ''}` : eventCause(event)
    const isHandled = facts.posts.some((post) => post.kind === 'remove_label' && post.cause === cause)
    if (isHandled) continue
    const canAct: boolean = !isDone && facts.liveRunId === null
    const effect: Effect = canAct && isProof(event, facts.accountId) ? effectOf(facts, label, event) : []
    if (effect === 'not yet') continue
    isDone ||= effect.length > 0
    commands.push({ type: 'remove_label', label, cause }, ...effect)
  }
  return commands
}

/** `not yet`: the label stays until Alfred's own posts are there to compare with. */
type Effect = readonly WorkflowCommand[] | 'not yet'

const effectOf = (facts: WorkflowFacts, label: CommandLabel, event: LabelEventFacts): Effect =>
  label === 'ai::validate_plan' ? validatePlan(facts, event) : retry(facts, label, event)

function validatePlan(facts: WorkflowFacts, event: LabelEventFacts): Effect {
  const { plan, mailbox } = facts
  if (mailbox.status !== 'waiting_validation' || plan === null) return []
  const cause = eventCause(event)
  const changed = whatChanged(facts)
  if (changed === 'not yet') return 'not yet'
  if (changed !== null) {
    return [
      { type: 'post_comment', kind: 'acknowledgement', cause, text: planAgainText(changed) },
      ...startOver('analysis', cause),
      { type: 'request_run', phase: 'analysis', trigger: 'retry', requestedBy: event.by.login },
    ]
  }
  const { titleSha256, bodySha256 } = issueDigests(facts.digest, facts.snapshot.issue)
  return [
    {
      type: 'approve_plan',
      personId: event.by.id,
      labelEvent: cause,
      planSha256: facts.digest(plan.plan),
      titleSha256,
      bodySha256,
    },
    { type: 'post_comment', kind: 'plan_validated', cause, text: planValidatedText(event.by.login) },
    ...startOver('development', cause),
    { type: 'request_run', phase: 'development', trigger: 'plan_validated', requestedBy: event.by.login },
  ]
}

/** What is not any more as it was when the plan was made; null: all is. */
function whatChanged(facts: WorkflowFacts): 'issue' | 'plan' | 'not yet' | null {
  const { plan, digest, snapshot, posts, readAt } = facts
  if (plan === null || issueDigests(digest, snapshot.issue).issueSha256 !== plan.issueSha256) return 'issue'
  const posted = posts.findLast((post) => post.markerKind === 'plan' && post.runId === plan.runId)
  // What is not posted, or was posted after the read began, cannot be in the snapshot.
  if (posted !== undefined && (isUnfinished(posted) || (posted.sentAt ?? 0) >= readAt)) return 'not yet'
  const copy = snapshot.comments.find((comment) => comment.id === posted?.remoteId)
  const isSame = copy !== undefined && textSha256(digest, copy.body) === posted?.postedSha256
  return isSame ? null : 'plan'
}

function retry(
  facts: WorkflowFacts,
  label: CommandLabel,
  event: LabelEventFacts,
): readonly WorkflowCommand[] {
  const { mailbox, latestRun } = facts
  const { status } = mailbox
  const isForChecks = status === 'in_ci' || status === 'in_review' || label === 'ai::retry_until_green'
  const cause = eventCause(event)
  // On top of commits that wait for a person nothing is made: it would be published with them.
  if (mailbox.needsYou === 'push_needs_person')
    return [{ type: 'post_comment', kind: 'acknowledgement', cause, text: pushWaitsText(event.by.login) }]
  // Fixing red checks is not built yet: a person is told, the status and what else they are asked for stay.
  if (isForChecks && status !== 'blocked')
    return mailbox.needsYou !== null ? [] : [{ type: 'update_mailbox', change: { needsYou: 'not_built' } }]
  const again = publishesAgain(facts)
  if (again !== null && latestRun !== null) {
    return [
      { type: 'post_comment', kind: 'retry_resumed', cause, text: publishAgainText(event.by.login) },
      ...moveTo('in_development', cause),
      { type: 'publish_again', runId: latestRun.id, cause: `${latestRun.uid}:${cause}`, ...again },
    ]
  }
  const phase = latestRun?.phase ?? 'analysis'
  return [
    { type: 'post_comment', kind: 'retry_resumed', cause, text: retryText(phase, event.by.login) },
    ...startOver(phase, cause),
    { type: 'request_run', phase, trigger: 'retry', requestedBy: event.by.login },
  ]
}
