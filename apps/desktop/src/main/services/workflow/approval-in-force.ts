import type { MailboxId } from '@shared/model/ids'
import type { Approval, Store } from '../../ports/stores'
import { toPost } from './to-post'
import { sha256 } from './workflow-parts'

/**
 * What a person validated, of the plan that is in force; null: nobody has. A plan that was made again, even with the
 * same words, is another one. What came first is told by the order of the posts, not by clocks, which people set back:
 * the plan's own comment, and the label of the validation that was taken off with it.
 */
export function approvalInForce({ plans, outbox }: Store, id: MailboxId): Approval | null {
  const plan = plans.find(id)
  const approval = plans.latestApproval(id)
  if (plan === null || approval?.planSha256 !== sha256(plan.plan)) return null
  const posts = outbox.listByMailbox(id).map(toPost)
  const made = posts.findLastIndex(({ markerKind, runId }) => markerKind === 'plan' && runId === plan.runId)
  const validated = posts.findLastIndex(
    ({ kind, cause }) => kind === 'remove_label' && cause === approval.labelEvent,
  )
  return validated > made ? approval : null
}
