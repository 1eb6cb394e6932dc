import { ok, type Result } from '@shared/result'
import type { ForgeComment, ForgeError } from '@main/ports/forge'
import type { ForgejoContext, Repository } from './forgejo-context'
import {
  commentsSchema,
  type Review,
  type ReviewComment,
  reviewCommentsSchema,
  reviewsSchema,
} from './parsers'
import { getAllPages, getAs } from './read-answer'
import { toForgeComment } from './views'

/*
 * What people say at an open change: comments, reviews, and comments on lines. It belongs to the issue, so it becomes
 * comments of it.
 */

/** With these nobody has said anything yet. */
const unsaid = new Set(['PENDING', 'REQUEST_REVIEW'])

export async function readTalkOf(
  { transport }: ForgejoContext,
  repository: Repository,
  number: number,
): Promise<Result<readonly ForgeComment[], ForgeError>> {
  const comments = await getAs(transport, `${repository.path}/issues/${number}/comments`, commentsSchema)
  if (!comments.ok) return comments
  const path = `${repository.path}/pulls/${number}/reviews`
  const reviews = await getAllPages(transport, path, reviewsSchema, { until: 'total' })
  if (!reviews.ok) return reviews
  const said = comments.value.map(toForgeComment)
  for (const review of reviews.value) {
    if (unsaid.has(review.state)) continue
    said.push(...toComments(review))
    if (!review.comments_count) continue
    const lines = await getAs(transport, `${path}/${review.id}/comments`, reviewCommentsSchema)
    if (!lines.ok) return lines
    said.push(...lines.value.map(toLineComment))
  }
  return ok(said)
}

/** An approval without a word asks for nothing; a review that was dismissed was said all the same. */
function toComments(review: Review): readonly ForgeComment[] {
  const isOpen = review.state === 'REQUEST_CHANGES' && review.dismissed !== true
  const asks = isOpen ? 'Changes are requested.' : ''
  const body = [asks, review.body].filter((text) => text !== '').join('\n\n')
  const at = review.submitted_at
  return body === ''
    ? []
    : [{ id: `review-${review.id}`, author: review.user, body, createdAt: at, updatedAt: at }]
}

const toLineComment = (comment: ReviewComment): ForgeComment => ({
  id: `review-comment-${comment.id}`,
  author: comment.user,
  body: `${placeOf(comment)}\n\n${comment.body}`,
  createdAt: comment.created_at,
  updatedAt: comment.updated_at,
})

function placeOf({ path, position, original_position: oldPosition }: ReviewComment): string {
  if (position) return `${path}, line ${position}:`
  return oldPosition ? `${path}, line ${oldPosition} before the change:` : `${path}:`
}
