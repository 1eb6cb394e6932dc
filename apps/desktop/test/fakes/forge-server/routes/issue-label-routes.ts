import { emptyRefusal, noContent, ok, page, Refusal, type Answer } from '../answer'
import { addLabel, removeLabel } from '../acts/issue-acts'
import type { ForgeIssue, ForgeLabel } from '../forge-model'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'
import { sortedByName } from '../views/issue-view'

/*
 * Labels on an issue. Unknown names and ids are dropped and the answer is 200; of two exclusive ones in one
 * request the last stays.
 */

const answerLabels = (context: RouteContext, issue: ForgeIssue): Answer =>
  ok(sortedByName(issue.labels).map((label) => context.views.label(label, issue.repository)))

const read: Handler = (context) => answerLabels(context, context.issue(context.tracker()))

function mayLabel(context: RouteContext): ForgeIssue {
  const repository = context.tracker()
  context.signedIn()
  const issue = context.issue(repository)
  if (context.mayWrite(repository)) return issue
  if (context.traits.labelRefusalIsPage) throw new Refusal(page(403, 'Internal server error'))
  throw context.refuse(403, 'write permission is required')
}

/** In the order of their ids, each that a name or an id means; a name may mean two. */
function wanted(context: RouteContext, issue: ForgeIssue): ForgeLabel[] {
  const listed = context.body['labels']
  const items: readonly unknown[] = Array.isArray(listed) ? listed : []
  const names = items.filter((item) => typeof item === 'string')
  const ids = items.filter((item) => typeof item === 'number')
  if (names.length + ids.length < items.length || (names.length > 0 && ids.length > 0)) {
    throw context.refuse(400, 'labels should be an array of strings or integers')
  }
  return context.state
    .labelsOf(issue.repository)
    .filter(({ id, name }) => names.includes(name) || ids.includes(id))
    .sort((a, b) => a.id - b.id)
}

const add: Handler = (context) => {
  const issue = mayLabel(context)
  for (const label of wanted(context, issue)) addLabel(context.state, issue, label, context.signedIn())
  return answerLabels(context, issue)
}

const replace: Handler = (context) => {
  const issue = mayLabel(context)
  const user = context.signedIn()
  const labels = wanted(context, issue)
  for (const label of issue.labels.filter((each) => !labels.includes(each))) {
    removeLabel(context.state, issue, label, user)
  }
  for (const label of labels) addLabel(context.state, issue, label, user)
  return answerLabels(context, issue)
}

function mayRemove(context: RouteContext): ForgeIssue {
  const repository = context.tracker()
  context.signedIn()
  const issue = context.issue(repository)
  if (!context.mayWrite(repository)) throw emptyRefusal(403)
  return issue
}

const clear: Handler = (context) => {
  const issue = mayRemove(context)
  for (const label of issue.labels) removeLabel(context.state, issue, label, context.signedIn())
  return noContent
}

/** By id only; one that is not on the issue is as good as removed. */
const remove: Handler = (context) => {
  const issue = mayRemove(context)
  const label = context.state.labelsOf(issue.repository).find(({ id }) => id === context.id('id'))
  if (label === undefined) throw context.refuse(422, 'label does not exist [label_id: 0]')
  removeLabel(context.state, issue, label, context.signedIn())
  return noContent
}

const at = 'repos/:owner/:repo/issues/:index/labels'

export const issueLabelRoutes: readonly Route[] = [
  { method: 'GET', pattern: at, category: 'issue', handle: read },
  { method: 'POST', pattern: at, category: 'issue', handle: add },
  { method: 'PUT', pattern: at, category: 'issue', handle: replace },
  { method: 'DELETE', pattern: at, category: 'issue', handle: clear },
  { method: 'DELETE', pattern: `${at}/:id`, category: 'issue', handle: remove },
]
