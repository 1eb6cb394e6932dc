import type { MarkerKind } from '@shared/model/words'
import type { CommentFacts, WorkflowFacts } from './facts'
import { followedPeople, isFollowed } from './trust'

/** The first comment of a followed person below Alfred's latest comment of that kind. */
export const commentAfter = (facts: WorkflowFacts, kind: MarkerKind): CommentFacts | null =>
  commentsAfter(facts, kind)[0] ?? null

/**
 * The first one below the opened change that asks for something: whoever approved since has taken back what they had
 * said before.
 */
export function reviewAfterChange(facts: WorkflowFacts): CommentFacts | null {
  const said = commentsAfter(facts, 'change_opened')
  const approvedAt = new Map<string, number>()
  for (const [at, { author, verdict }] of said.entries())
    if (verdict === 'approved') approvedAt.set(author.id, at)
  return said.find(({ author }, at) => at > (approvedAt.get(author.id) ?? -1)) ?? null
}

function commentsAfter(facts: WorkflowFacts, kind: MarkerKind): readonly CommentFacts[] {
  const own = facts.posts.findLast((post) => post.markerKind === kind)
  const { comments, labelEvents, assignments } = facts.snapshot
  const at = own === undefined ? -1 : comments.findIndex((comment) => comment.id === own.remoteId)
  if (at < 0) return []
  const { accountId, ownerIds, now } = facts
  const { trustedPeople } = facts.settings
  const followed = followedPeople({ accountId, ownerIds, trustedPeople, labelEvents, assignments, now })
  return comments.slice(at + 1).filter((comment) => isFollowed(comment.author, followed))
}
