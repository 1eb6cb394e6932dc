import type { Phase, Trigger } from '@shared/model/words'
import { changedSinceApproval, type Changed, stateDigest } from './changed-since'
import type { WorkflowCommand } from './commands'
import type { LabelEventFacts, WorkflowFacts } from './facts'
import { moveTo, startOver } from './moves'
import { validateAgainText } from './texts'

/*
 * A plan that was validated, and an issue that was changed since: nothing of the work leaves this computer and no new
 * development begins until somebody who may write has validated the plan for the issue as it is now.
 */

/** What changed and was not validated since; null: nothing. */
export function mustValidateAgain(facts: WorkflowFacts): Changed | null {
  const changed = changedSinceApproval(facts)
  return changed !== null && !wasPosted(facts, 'plan_validated') ? changed : null
}

/** Says what changed and waits, once for each run and each change. */
export function askToValidate(facts: WorkflowFacts, changed: Changed): readonly WorkflowCommand[] {
  const cause = `${causeOf(facts)}:${facts.latestRun?.uid ?? ''}`
  return [
    { type: 'update_mailbox', change: { status: 'waiting_validation', needsYou: 'validate_plan' } },
    { type: 'post_status', status: 'waiting_validation', cause },
    { type: 'post_comment', kind: 'acknowledgement', cause, text: validateAgainText(changed) },
  ]
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

/** Whether what was asked about is what the issue is now: a person validates what they could see. */
export const isAsAsked = (facts: WorkflowFacts): boolean =>
  changedSinceApproval(facts) === null || wasPosted(facts, 'acknowledgement')

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

const causeOf = (facts: WorkflowFacts): string => `validate-again:${stateDigest(facts)}`

const wasPosted = (facts: WorkflowFacts, kind: 'plan_validated' | 'acknowledgement'): boolean => {
  const cause = causeOf(facts)
  return facts.posts.some((post) => post.markerKind === kind && post.cause.startsWith(cause))
}
