import { mayWrite } from '../access'
import { noContent, ok } from '../answer'
import { addEntry } from '../acts/issue-acts'
import { addReview, type NewReviewComment } from '../acts/review-acts'
import { numberField, textField, textsField } from '../fields'
import type { ForgeReview } from '../forge-model'
import { list } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'
import { reviewCommentViews, reviewView, type PullIssue } from '../views/pull-view'

/*
 * Reviews with their line comments. A pending one of somebody else is hidden and counted all the same.
 */

function reviewed(context: RouteContext): PullIssue {
  const repository = context.repository()
  const issue = repository.issues.find(({ number, pull }) => pull !== null && number === context.id('index'))
  if (issue !== undefined) return context.pull(repository)
  const about = `pull request does not exist [id: 0, issue_id: 0, head_repo_id: 0, base_repo_id: ${repository.id}, head_branch: , base_branch: ]`
  throw context.refuse.notFound([about], 'GetPullRequestByIndex')
}

const views = (context: RouteContext, issue: PullIssue, reviews: readonly ForgeReview[]): unknown[] =>
  reviews.map((review) => reviewView(issue, review, context.caller.user, context.views.parts))

const all: Handler = (context) => {
  const issue = reviewed(context)
  const { items, headers } = context.pageWithoutLinks(issue.pull.reviews)
  const shown = items.filter(({ state, user }) => state !== 'PENDING' || user === context.caller.user)
  return list(views(context, issue, shown), headers)
}

function reviewOf(context: RouteContext, issue: PullIssue): ForgeReview {
  const found = issue.pull.reviews.find(({ id }) => id === context.id('id'))
  if (found === undefined) {
    throw context.refuse.notFound([`review does not exist [id: ${context.param('id')}]`], 'GetReviewByID')
  }
  return found
}

const read: Handler = (context) => {
  const issue = reviewed(context)
  return ok(views(context, issue, [reviewOf(context, issue)])[0])
}

const comments: Handler = (context) => {
  const issue = reviewed(context)
  const review = reviewOf(context, issue)
  return ok(reviewCommentViews(issue, review, context.caller.user, context.views.parts))
}

function newComments(context: RouteContext): NewReviewComment[] {
  const listed = context.body['comments']
  const items: readonly unknown[] = Array.isArray(listed) ? listed : []
  return items
    .filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null)
    .map((item) => ({
      path: textField(item, 'path', context.refuse) ?? '',
      body: textField(item, 'body', context.refuse) ?? '',
      position: numberField(item, 'new_position', context.refuse) ?? 0,
      originalPosition: numberField(item, 'old_position', context.refuse) ?? 0,
    }))
}

/** An event that the server does not know makes a pending review. */
const states: Readonly<Record<string, string>> = {
  APPROVED: 'APPROVED',
  REQUEST_CHANGES: 'REQUEST_CHANGES',
  COMMENT: 'COMMENT',
}

const add: Handler = async (context) => {
  const issue = reviewed(context)
  const user = context.signedIn()
  const { body, refuse } = context
  const event = textField(body, 'event', refuse) ?? ''
  const text = textField(body, 'body', refuse) ?? ''
  const lines = newComments(context)
  const state = states[event] ?? 'PENDING'
  if (user === issue.author && state === 'APPROVED') throw refuse(422, 'approve your own pull is not allowed')
  if (user === issue.author && state === 'REQUEST_CHANGES')
    throw refuse(422, 'reject your own pull is not allowed')
  if (state === 'COMMENT' && text === '' && lines.length === 0) {
    throw refuse(422, 'review event COMMENT requires a body or a comment')
  }
  const review = await addReview(context, issue, { user, state, body: text, comments: lines })
  return ok(views(context, issue, [review])[0])
}

const request: Handler = (context) => {
  const issue = reviewed(context)
  const { refuse, state } = context
  const added: ForgeReview[] = []
  for (const login of textsField(context.body, 'reviewers', refuse) ?? []) {
    const user = state.user(login)
    if (user === undefined) throw refuse.notFound(undefined, `User '${login}' not exist`)
    if (user === issue.author) {
      throw refuse(
        422,
        `poster of pr can't be reviewer [user_id: ${user.id}, repo_id: ${issue.repository.id}]`,
      )
    }
    const review: ForgeReview = {
      id: state.idOf('review'),
      user,
      state: 'REQUEST_REVIEW',
      body: '',
      commitSha: '',
      isOfficial: mayWrite(issue.repository, user),
      isDismissed: false,
      at: state.now(),
      comments: [],
      entryId: null,
    }
    issue.pull.reviews.push(review)
    addEntry(state, issue, {
      type: 'review_request',
      user: context.signedIn(),
      assignee: user,
      reviewId: review.id,
    })
    added.push(review)
  }
  return { status: 201, json: views(context, issue, added) }
}

const resolve =
  (isResolved: boolean): Handler =>
  (context) => {
    const repository = context.repository()
    for (const { pull } of repository.issues) {
      const comment = pull?.reviews
        .flatMap((review) => review.comments)
        .find(({ id }) => id === context.id('id'))
      if (comment === undefined) continue
      comment.resolver = isResolved ? context.signedIn() : null
      return noContent
    }
    throw context.refuse.notFound()
  }

const at = 'repos/:owner/:repo/pulls/:index'

export const reviewRoutes: readonly Route[] = [
  { method: 'GET', pattern: `${at}/reviews`, category: 'repository', handle: all },
  { method: 'POST', pattern: `${at}/reviews`, category: 'repository', handle: add },
  { method: 'GET', pattern: `${at}/reviews/:id`, category: 'repository', handle: read },
  { method: 'GET', pattern: `${at}/reviews/:id/comments`, category: 'repository', handle: comments },
  { method: 'POST', pattern: `${at}/requested_reviewers`, category: 'repository', handle: request },
]

/** Of the newest Gitea only. */
export const resolveRoutes: readonly Route[] = [
  {
    method: 'POST',
    pattern: 'repos/:owner/:repo/pulls/comments/:id/resolve',
    category: 'repository',
    handle: resolve(true),
  },
  {
    method: 'POST',
    pattern: 'repos/:owner/:repo/pulls/comments/:id/unresolve',
    category: 'repository',
    handle: resolve(false),
  },
]
