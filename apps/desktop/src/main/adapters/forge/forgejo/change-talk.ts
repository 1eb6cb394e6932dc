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

type Verdict = NonNullable<ForgeComment['verdict']>

const verdicts: Readonly<Record<string, { readonly verdict: Verdict; readonly words: string }>> = {
  APPROVED: { verdict: 'approved', words: 'Approved.' },
  REQUEST_CHANGES: { verdict: 'changes_requested', words: 'Changes are requested.' },
  COMMENT: { verdict: 'commented', words: '' },
}

/** A review that was dismissed has no verdict any more; what it said was said all the same. */
function toComments({
  id,
  user,
  state,
  dismissed,
  body: text,
  submitted_at: at,
}: Review): readonly ForgeComment[] {
  const standing = dismissed === true ? undefined : verdicts[state]
  const body = [standing?.words ?? '', text].filter((words) => words !== '').join('\n\n')
  const comment = { id: `review-${id}`, author: user, body, createdAt: at, updatedAt: at }
  return body === '' ? [] : [{ ...comment, ...(standing && { verdict: standing.verdict }) }]
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
