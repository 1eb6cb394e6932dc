import type { Phase, Trigger } from '@shared/model/words'
import { changedSinceApproval, type Changed, stateDigest } from './changed-since'
import type { WorkflowCommand } from './commands'
import { isUnfinished, type LabelEventFacts, type PostFacts, type WorkflowFacts } from './facts'
import { moveTo, startOver } from './moves'
import { validateAgainText } from './texts'

/*
 * A plan that was validated, and an issue that was changed since: nothing of the work leaves this computer and no new
 * development begins until somebody who may write has validated the plan for the issue as it is now.
 */

const ASKED = 'validate-again:'

/** What changed and was not validated since; null: nothing. */
export function mustValidateAgain(facts: WorkflowFacts): Changed | null {
  const changed = changedSinceApproval(facts)
  const validated = facts.posts.findLast(({ markerKind }) => markerKind === 'plan_validated')
  return changed !== null && !isOfNow(facts, validated) ? changed : null
}

/** Says what changed and waits. */
export function askToValidate(facts: WorkflowFacts, changed: Changed | null): readonly WorkflowCommand[] {
  const cause = causeOfAsking(facts)
  return [
    { type: 'update_mailbox', change: { status: 'waiting_validation', needsYou: 'validate_plan' } },
    { type: 'post_status', status: 'waiting_validation', cause },
    { type: 'post_comment', kind: 'acknowledgement', cause, text: validateAgainText(changed) },
  ]
}

/** While it waits: each change is asked about, also one back to what was asked about or validated before. */
export function askAgain(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const last = asks(facts).at(-1)
  const isWaiting = facts.mailbox.status === 'waiting_validation' && facts.approval !== null
  if (!isWaiting || last === undefined || isOfNow(facts, last)) return []
  const text = validateAgainText(changedSinceApproval(facts))
  return [{ type: 'post_comment', kind: 'acknowledgement', cause: causeOfAsking(facts), text }]
}

/** The phase begins, or (development of an issue that was changed) waits for its validation. */
export function begin(
  facts: WorkflowFacts,
  run: {
    readonly phase: Phase
    readonly trigger: Trigger
    readonly requestedBy: string | null
    readonly cause: string
    /** What is said when it begins. */
    readonly told?: WorkflowCommand
  },
): readonly WorkflowCommand[] {
  const { phase, trigger, requestedBy, cause, told } = run
  const changed = phase === 'development' ? mustValidateAgain(facts) : null
  if (changed !== null) return askToValidate(facts, changed)
  return [
    ...(told === undefined ? [] : [told]),
    ...startOver(phase, cause),
    { type: 'request_run', phase, trigger, requestedBy },
  ]
}

/** Whether what was asked about last, for everybody to read, is what the issue is now: a person validates what they see. */
export function isAsAsked(facts: WorkflowFacts): boolean {
  const last = asks(facts).at(-1)
  return last === undefined
    ? changedSinceApproval(facts) === null
    : last.state === 'sent' && isOfNow(facts, last)
}

/** Whether that is asked about as it is now, and nobody can have read it yet. */
export function isBeingAsked(facts: WorkflowFacts): boolean {
  const last = asks(facts).at(-1)
  return last !== undefined && isUnfinished(last) && isOfNow(facts, last)
}

/** Of the comment that says that it was validated. */
export const validatedCause = (facts: WorkflowFacts, event: string): string => `${causeOf(facts)}:${event}`

/** What follows the validation: the work that waits is published; there being none, development begins. */
export function goOnValidated(facts: WorkflowFacts, by: LabelEventFacts['by'], cause: string) {
  const { latestRun, posts } = facts
  const push = posts.findLast(({ kind }) => kind === 'push')
  const isWaiting =
    latestRun?.phase === 'development' && latestRun.outcome === 'succeeded' && push?.runId === latestRun.id
  return isWaiting && push?.state === 'dropped'
    ? ([
        ...moveTo('in_development', cause),
        {
          type: 'publish_again',
          runId: latestRun.id,
          cause: `${latestRun.uid}:${cause}`,
          isGoneKnown: false,
        },
      ] as const)
    : ([
        ...startOver('development', cause),
        { type: 'request_run', phase: 'development', trigger: 'plan_validated', requestedBy: by.login },
      ] as const)
}

const causeOf = (facts: WorkflowFacts): string => `${ASKED}${stateDigest(facts)}`

const asks = ({ posts }: WorkflowFacts): readonly PostFacts[] =>
  posts.filter(({ markerKind, cause }) => markerKind === 'acknowledgement' && cause.startsWith(ASKED))

const isOfNow = (facts: WorkflowFacts, post: PostFacts | undefined): boolean =>
  post?.cause.startsWith(`${causeOf(facts)}:`) === true

/** Names the run and the change; numbered, since an issue can be changed back and forth. */
function causeOfAsking(facts: WorkflowFacts): string {
  const earlier = asks(facts)
  const last = earlier.at(-1)
  const end = `:${facts.latestRun?.uid ?? ''}`
  const isAsked = last !== undefined && isOfNow(facts, last) && last.cause.endsWith(end) && isUnderWay(last)
  return isAsked ? last.cause : `${causeOf(facts)}:${earlier.length}${end}`
}

const isUnderWay = (post: PostFacts): boolean => isUnfinished(post) || post.state === 'sent'
