import { changedSinceApproval, changedSincePlan } from './changed-since'
import type { WorkflowCommand } from './commands'
import { issueDigests } from './description-section'
import type { LabelEventFacts, WorkflowFacts } from './facts'
import { startOver } from './moves'
import { planAgainText, planValidatedText } from './texts'
import { askToValidate, goOnValidated, isAsAsked, isBeingAsked, validatedCause } from './validate-again'

/**
 * Somebody who may write set `ai::validate_plan` while a plan waits for it. `not yet`: Alfred's own posts are not there
 * to compare with. `cause` names the event.
 */
export function validatePlan(
  facts: WorkflowFacts,
  { by }: LabelEventFacts,
  cause: string,
): readonly WorkflowCommand[] | 'not yet' {
  if (facts.approval !== null) {
    if (isBeingAsked(facts)) return []
    if (!isAsAsked(facts)) return askToValidate(facts, changedSinceApproval(facts))
    return [...approve(facts, by, cause, validatedCause(facts, cause)), ...goOnValidated(facts, by, cause)]
  }
  const changed = changedSincePlan(facts)
  if (changed === 'not yet') return 'not yet'
  if (changed !== null) {
    return [
      { type: 'post_comment', kind: 'acknowledgement', cause, text: planAgainText(changed) },
      ...startOver('analysis', cause),
      { type: 'request_run', phase: 'analysis', trigger: 'retry', requestedBy: by.login },
    ]
  }
  return [...approve(facts, by, cause, cause), ...goOnValidated(facts, by, cause)]
}

function approve(
  { plan, digest, snapshot }: WorkflowFacts,
  by: LabelEventFacts['by'],
  labelEvent: string,
  told: string,
): readonly WorkflowCommand[] {
  if (plan === null) return []
  const { titleSha256, bodySha256 } = issueDigests(digest, snapshot.issue)
  const planSha256 = digest(plan.plan)
  return [
    { type: 'approve_plan', personId: by.id, labelEvent, planSha256, titleSha256, bodySha256 },
    { type: 'post_comment', kind: 'plan_validated', cause: told, text: planValidatedText(by.login) },
  ]
}
