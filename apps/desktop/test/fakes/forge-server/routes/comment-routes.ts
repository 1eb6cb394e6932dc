import { isBlocked } from '../access'
import { created, noContent, ok } from '../answer'
import { addEntry } from '../acts/issue-acts'
import { noteMentions } from '../acts/references'
import { requiredText, timeField } from '../fields'
import type { ForgeIssue, ForgeRepository, TimelineEntry } from '../forge-model'
import { ghost, issueOf } from '../forge-state'
import { list, totalHeaders } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'
import { commentsOf } from '../views/issue-view'

/*
 * Comments of one issue, all in one answer; the feed of a repository by their own `updated_at`; one comment.
 */

interface Found {
  readonly issue: ForgeIssue
  readonly entry: TimelineEntry
}

function within(context: RouteContext, found: readonly Found[]): Found[] {
  const since = timeField(context.query, 'since', context.refuse)
  const before = timeField(context.query, 'before', context.refuse)
  return found.filter(
    ({ entry }) =>
      (since === null || entry.updatedAt >= since) && (before === null || entry.updatedAt <= before),
  )
}

const withComments = (issue: ForgeIssue): Found[] => commentsOf(issue).map((entry) => ({ issue, entry }))

const ofIssue: Handler = (context) => {
  const found = within(context, withComments(addressed(context, context.tracker())))
  return list(
    found.map(({ issue, entry }) => context.views.comment(issue, entry)),
    totalHeaders(found.length),
  )
}

function addressed(context: RouteContext, repository: ForgeRepository): ForgeIssue {
  const issue = issueOf(repository, context.id('index'))
  if (issue !== undefined) return issue
  if (context.traits.missingIssueForComment === 500) throw context.refuse.unexpected()
  throw context.refuse.notFound(
    [`issue does not exist [id: 0, repo_id: ${repository.id}, index: ${context.param('index')}]`],
    'IsErrIssueNotExist',
  )
}

const feed: Handler = (context) => {
  const repository = context.tracker()
  const found = within(context, repository.issues.flatMap(withComments)).sort(
    (a, b) => a.entry.createdAt - b.entry.createdAt || a.entry.id - b.entry.id,
  )
  const { items, headers } = context.pageWithoutLinks(found)
  return list(
    items.map(({ issue, entry }) => context.views.comment(issue, entry)),
    headers,
  )
}

const add: Handler = (context) => {
  const repository = context.tracker()
  const user = context.signedIn()
  context.mustNotBeArchived(repository)
  const body = requiredText(context.body, 'body', context.refuse)
  const issue = addressed(context, repository)
  if (issue.isLocked && !context.mayWrite(repository)) {
    throw context.refuse(403, 'You cannot comment on a locked issue.')
  }
  if (isBlocked(user, repository.owner) || isBlocked(user, issue.author))
    throw context.refuse(403, 'user is blocked')
  const entry = addEntry(context.state, issue, { type: 'comment', user, body })
  noteMentions(context.state, issue, body, user, entry)
  return created(context.views.comment(issue, entry))
}

function comment(context: RouteContext): Found & { readonly repository: ForgeRepository } {
  const repository = context.tracker()
  const found = context.state.findEntry(repository, context.id('id'))
  if (found === undefined || found.entry.type !== 'comment') {
    throw context.refuse.notFound([`comment does not exist [id: ${context.param('id')}, issue_id: 0]`])
  }
  return { ...found, repository }
}

const read: Handler = (context) => {
  const { issue, entry } = comment(context)
  // In the lists a deleted account is Ghost; singly, most servers stumble over it.
  if (entry.user === ghost && !context.traits.hasContentVersion) throw context.refuse.unexpected()
  return ok(context.views.comment(issue, entry))
}

const edit: Handler = (context) => {
  const { issue, entry, repository } = comment(context)
  context.mayEdit(repository, entry.user)
  context.mustNotBeArchived(repository)
  const body = requiredText(context.body, 'body', context.refuse)
  const isSame = body === entry.body
  entry.body = body
  if (!isSame) entry.updatedAt = context.now
  const view = context.views.comment(issue, entry)
  // A quirk of an edit that changes nothing.
  return ok(isSame && !context.traits.isForgejo ? { ...view, user: null } : view)
}

const remove: Handler = (context) => {
  const { issue, entry, repository } = comment(context)
  context.mayEdit(repository, entry.user)
  issue.entries.splice(issue.entries.indexOf(entry), 1)
  return noContent
}

const at = 'repos/:owner/:repo/issues'

export const commentRoutes: readonly Route[] = [
  { method: 'GET', pattern: `${at}/comments`, category: 'issue', handle: feed },
  { method: 'GET', pattern: `${at}/comments/:id`, category: 'issue', handle: read },
  { method: 'PATCH', pattern: `${at}/comments/:id`, category: 'issue', handle: edit },
  { method: 'DELETE', pattern: `${at}/comments/:id`, category: 'issue', handle: remove },
  { method: 'GET', pattern: `${at}/:index/comments`, category: 'issue', handle: ofIssue },
  { method: 'POST', pattern: `${at}/:index/comments`, category: 'issue', handle: add },
]
