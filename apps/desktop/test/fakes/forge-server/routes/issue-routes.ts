import { assignable, isBlocked, roleOf } from '../access'
import { created, noContent, ok } from '../answer'
import { idsField, numberField, requiredText, textField, textsField, timeField } from '../fields'
import { editIssue } from '../acts/edit-issue'
import { addEntry } from '../acts/issue-acts'
import { newAssignees, openIssue } from '../acts/open-issue'
import { issueOf } from '../forge-state'
import { hasPage, list, slice, totalHeaders } from '../paging'
import type { Handler, Route } from '../router'

/*
 * One issue: opened, read, edited, deleted, its history and who may be given it.
 */

const open: Handler = (context) => {
  const repository = context.tracker()
  const author = context.signedIn()
  const { body, refuse, state } = context
  context.mustNotBeArchived(repository)
  const title = requiredText(body, 'title', refuse)
  if (isBlocked(author, repository.owner)) throw refuse(403, 'user is blocked')
  const single = textField(body, 'assignee', refuse)
  const logins = [
    ...(textsField(body, 'assignees', refuse) ?? []),
    ...(single === undefined || single === '' ? [] : [single]),
  ]
  const labelIds = idsField(body, 'labels', refuse) ?? []
  const assignees = context.mayWrite(repository) ? newAssignees(state, repository, logins, refuse) : []
  const issue = openIssue(state, repository, {
    title,
    body: textField(body, 'body', refuse) ?? '',
    ref: textField(body, 'ref', refuse) ?? '',
    author,
    labelIds,
    assignees,
    pull: null,
  })
  return created(context.views.issue(issue))
}

const read: Handler = (context) => ok(context.views.issue(context.issue(context.tracker())))

const edit: Handler = (context) => {
  const repository = context.tracker()
  context.signedIn()
  const issue = context.issue(repository)
  context.mayEdit(repository, issue.author)
  editIssue(context, issue)
  return created(context.views.issue(issue))
}

const remove: Handler = (context) => {
  const repository = context.tracker()
  const issue = context.issue(repository)
  context.mustAdminister(repository)
  repository.issues.splice(repository.issues.indexOf(issue), 1)
  return noContent
}

const lock =
  (isLocked: boolean): Handler =>
  (context) => {
    const repository = context.tracker()
    context.mustAdminister(repository)
    const issue = context.issue(repository)
    issue.isLocked = isLocked
    // Not the person: the servers name the organization.
    addEntry(context.state, issue, {
      type: isLocked ? 'lock' : 'unlock',
      user: repository.owner,
      body: isLocked ? (textField(context.body, 'lock_reason', context.refuse) ?? '') : '',
    })
    return noContent
  }

/** Entries whose reference the caller may not see are left out after the page was cut. */
const timeline: Handler = (context) => {
  const repository = context.tracker()
  const issue = issueOf(repository, context.id('index'))
  if (issue === undefined) {
    if (context.traits.missingIssueForComment === 500) throw context.refuse.unexpected()
    const about = `issue does not exist [id: 0, repo_id: ${repository.id}, index: ${context.param('index')}]`
    throw context.refuse.notFound([about], 'IsErrIssueNotExist')
  }
  const since = timeField(context.query, 'since', context.refuse)
  const before = timeField(context.query, 'before', context.refuse)
  const all = issue.entries.filter(
    ({ updatedAt }) => (since === null || updatedAt >= since) && (before === null || updatedAt <= before),
  )
  const isWhole = !context.traits.limitsWithoutPage && !hasPage(context.query)
  const cut = isWhole ? all : slice(all, context.page())
  const shown = cut.filter(
    ({ reference }) =>
      reference === undefined || roleOf(reference.issue.repository, context.caller.user) !== null,
  )
  const views = shown.map((entry) => context.views.entry(issue, entry))
  return list(views.length === 0 ? null : views, totalHeaders(views.length))
}

const assignees: Handler = (context) => {
  const repository = context.repository()
  return ok(assignable(repository, context.state.users).map((user) => context.views.user(user)))
}

const addDependency: Handler = (context) => {
  const repository = context.tracker()
  const issue = context.issue(repository)
  const other = issueOf(repository, numberField(context.body, 'index', context.refuse) ?? 0)
  if (other === undefined) throw context.refuse.notFound()
  issue.dependsOn.push(other)
  addEntry(context.state, issue, { type: 'add_dependency', user: context.signedIn() })
  return created(context.views.issue(issue))
}

const at = 'repos/:owner/:repo/issues'

export const issueRoutes: readonly Route[] = [
  { method: 'POST', pattern: at, category: 'issue', handle: open },
  { method: 'GET', pattern: `${at}/:index`, category: 'issue', handle: read },
  { method: 'PATCH', pattern: `${at}/:index`, category: 'issue', handle: edit },
  { method: 'DELETE', pattern: `${at}/:index`, category: 'issue', handle: remove },
  { method: 'GET', pattern: `${at}/:index/timeline`, category: 'issue', handle: timeline },
  { method: 'POST', pattern: `${at}/:index/dependencies`, category: 'issue', handle: addDependency },
  { method: 'GET', pattern: 'repos/:owner/:repo/assignees', category: 'repository', handle: assignees },
]

/** Of Gitea only. */
export const lockRoutes: readonly Route[] = [
  { method: 'PUT', pattern: `${at}/:index/lock`, category: 'issue', handle: lock(true) },
  { method: 'DELETE', pattern: `${at}/:index/lock`, category: 'issue', handle: lock(false) },
]
