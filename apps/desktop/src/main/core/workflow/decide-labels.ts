import type { CommandLabel } from '@shared/model/words'
import type { WorkflowCommand } from './commands'
import type { LabelEventFacts, WorkflowFacts } from './facts'
import { commandLabelsOf } from './labels'
import { moveTo } from './moves'
import { publishesAgain } from './refused-push'
import { type Refusal, publishAgainText, pushWaitsText, refusedText, retryText, talkWaitsText } from './texts'
import { isProof } from './trust'
import { begin } from './validate-again'
import { validatePlan } from './validate-plan'

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
    const refusal: Refusal | null = event === null ? null : whyRefused(facts, label, event, isDone)
    const effect: Effect =
      event === null ? [] : refusal === null ? effectOf(facts, label, event) : refused(label, event, refusal)
    if (effect === 'not yet') continue
    isDone ||= refusal === null && effect.length > 0
    commands.push({ type: 'remove_label', label, cause }, ...effect)
  }
  return commands
}

/** Why a label does nothing; null: it does. */
function whyRefused(
  facts: WorkflowFacts,
  label: CommandLabel,
  event: LabelEventFacts,
  isDone: boolean,
): Refusal | null {
  if (!isProof(event, facts.accountId)) return 'own_account'
  if (isDone || facts.liveRunId !== null) return 'busy'
  const hasPlan = facts.mailbox.status === 'waiting_validation' && facts.plan !== null
  return label === 'ai::validate_plan' && !hasPlan ? 'no_plan' : null
}

/** Taken off without effect, and said, so that nobody waits for what does not come. */
const refused = (
  label: CommandLabel,
  event: LabelEventFacts,
  refusal: Refusal,
): readonly WorkflowCommand[] => [
  {
    type: 'post_comment',
    kind: 'acknowledgement',
    cause: eventCause(event),
    text: refusedText(label, event.by.login, refusal),
  },
]

/** `not yet`: the label stays until Alfred's own posts are there to compare with. */
type Effect = readonly WorkflowCommand[] | 'not yet'

const effectOf = (facts: WorkflowFacts, label: CommandLabel, event: LabelEventFacts): Effect =>
  label === 'ai::validate_plan' ? validatePlan(facts, event, eventCause(event)) : retry(facts, label, event)

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
  if (mailbox.needsYou === 'unpushed_work')
    return [{ type: 'post_comment', kind: 'acknowledgement', cause, text: talkWaitsText(event.by.login) }]
  // Fixing red checks is not built yet: a person is told, the status and what else they are asked for stay.
  if (isForChecks && status !== 'blocked') {
    const asked: readonly WorkflowCommand[] =
      mailbox.needsYou === null ? [{ type: 'update_mailbox', change: { needsYou: 'not_built' } }] : []
    return [...asked, ...refused(label, event, 'not_built')]
  }
  const again = publishesAgain(facts)
  if (again !== null && latestRun !== null) {
    return [
      { type: 'post_comment', kind: 'retry_resumed', cause, text: publishAgainText(event.by.login) },
      ...moveTo('in_development', cause),
      { type: 'publish_again', runId: latestRun.id, cause: `${latestRun.uid}:${cause}`, ...again },
    ]
  }
  // A plan that waits is made again, whatever was done for the one before it.
  const phase = status === 'waiting_validation' ? 'analysis' : (latestRun?.phase ?? 'analysis')
  const { login } = event.by
  return begin(facts, {
    phase,
    trigger: 'retry',
    requestedBy: login,
    cause,
    told: { type: 'post_comment', kind: 'retry_resumed', cause, text: retryText(phase, login) },
  })
}
