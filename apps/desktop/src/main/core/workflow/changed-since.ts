import { issueDigests, sectionOf } from './description-section'
import { isUnfinished, type PostFacts, type WorkflowFacts } from './facts'
import { textSha256 } from './markers'

/*
 * What people changed on the forge since a plan was made, and since it was validated. What counts is always the stored
 * plan; a change only says that somebody has to look at it again.
 */

export type Changed = 'issue' | 'section' | 'plan'

/** Since the plan was made; null: nothing. `not yet`: Alfred's own posts are not there to compare with. */
export function changedSincePlan(facts: WorkflowFacts): Changed | 'not yet' | null {
  const { plan, digest, snapshot } = facts
  if (plan === null || issueDigests(digest, snapshot.issue).issueSha256 !== plan.issueSha256) return 'issue'
  return changedCopy(facts)
}

/** Since somebody validated the plan that is in force; null: nothing, or nobody has. */
export function changedSinceApproval(facts: WorkflowFacts): Changed | null {
  const { approval, digest, snapshot } = facts
  if (approval === null || facts.plan === null) return null
  const { titleSha256, bodySha256 } = issueDigests(digest, snapshot.issue)
  if (titleSha256 !== approval.titleSha256 || bodySha256 !== approval.bodySha256) return 'issue'
  const copy = changedCopy(facts)
  return copy === 'not yet' ? null : copy
}

/** Names all that could have changed, as it is now. */
export const stateDigest = ({ digest, plan, snapshot, posts }: WorkflowFacts): string =>
  digest(
    JSON.stringify([
      plan?.plan,
      issueDigests(digest, snapshot.issue).issueSha256,
      sectionOf(snapshot.issue.body),
      snapshot.comments.find(({ id }) => id === planPost({ plan, posts })?.remoteId)?.body ?? null,
    ]),
  )

const planPost = ({ plan, posts }: Pick<WorkflowFacts, 'plan' | 'posts'>): PostFacts | undefined =>
  posts.findLast((post) => post.markerKind === 'plan' && post.runId === plan?.runId)

/** Of what Alfred wrote to the forge for the plan. */
function changedCopy(facts: WorkflowFacts): 'section' | 'plan' | 'not yet' | null {
  const { digest, snapshot, readAt } = facts
  const posted = planPost(facts)
  // What is not posted, or was posted after the read began, cannot be in the snapshot.
  if (posted !== undefined && (isUnfinished(posted) || (posted.sentAt ?? 0) >= readAt)) return 'not yet'
  const copy = snapshot.comments.find((comment) => comment.id === posted?.remoteId)
  if (copy === undefined || textSha256(digest, copy.body) !== posted?.postedSha256) return 'plan'
  return isSectionChanged(facts) ? 'section' : null
}

/** A section that was taken out says nothing else; a description whose marks are broken is all of it people's. */
export function isSectionChanged({
  digest,
  plan,
  posts,
  snapshot,
}: Pick<WorkflowFacts, 'digest' | 'plan' | 'posts' | 'snapshot'>): boolean {
  const posted = posts.findLast((post) => post.kind === 'description' && post.runId === plan?.runId)
  const section = sectionOf(snapshot.issue.body)
  // Posted as a comment, or by a version that kept no digest.
  if (posted?.state !== 'sent' || posted.remoteId !== null || posted.postedSha256 === null) return false
  return section !== null && textSha256(digest, section) !== posted.postedSha256
}
