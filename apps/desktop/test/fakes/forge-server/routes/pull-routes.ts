import { created, noContent, ok, type Answer } from '../answer'
import { editIssue } from '../acts/edit-issue'
import { addLabel, removeLabel, setAssignees } from '../acts/issue-acts'
import { mergePull } from '../acts/merge-pull'
import { labelsById, newAssignees } from '../acts/open-issue'
import { headOf, openPull, pullsOf } from '../acts/open-pull'
import { figuresOf } from '../acts/pull-figures'
import { flagField, idsField, requiredText, textField, textsField } from '../fields'
import type { ForgeRepository } from '../forge-model'
import { issueOf } from '../forge-state'
import { list } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'
import { pullView, type PullIssue } from '../views/pull-view'
import type { Json } from '../views/user-view'

/*
 * Pull requests.
 */

const view = async (
  context: RouteContext,
  issue: PullIssue,
  form: 'single' | 'listed' = 'single',
): Promise<Json> =>
  pullView(issue, context.caller.user, context.views.parts, await figuresOf(issue, context.git), form)

/** Where pull requests are on and something was pushed. */
function withPulls(context: RouteContext): ForgeRepository {
  const repository = context.repository()
  if (!repository.hasPulls || repository.branches.size === 0) throw context.refuse.notFound()
  return repository
}

const all: Handler = async (context) => {
  const { query, traits } = context
  const repository = withPulls(context)
  const state = query.get('state') ?? 'open'
  const base = traits.filtersPullsByBase ? query.get('base_branch') : null
  const poster = query.get('poster')
  const labels = query.getAll('labels').map(Number)
  const recent = query.get('sort') === 'recentupdate'
  const found = pullsOf(repository)
    .filter(({ isOpen }) => (state === 'open' ? isOpen : state === 'closed' ? !isOpen : true))
    .filter(({ pull }) => base === null || pull.base === base)
    .filter(({ author }) => poster === null || author.login === poster)
    .filter((issue) => labels.every((id) => issue.labels.some((label) => label.id === id)))
    .sort((a, b) =>
      recent ? b.updatedAt - a.updatedAt || b.id - a.id : b.createdAt - a.createdAt || b.id - a.id,
    )
  const { items, headers } = context.linkedPage(found)
  const form = traits.isForgejo ? 'single' : 'listed'
  return list(await Promise.all(items.map((issue) => view(context, issue, form))), headers)
}

const open: Handler = async (context) => {
  const repository = context.repository()
  const { body, refuse, state } = context
  const author = context.signedIn()
  context.mustNotBeArchived(repository)
  if (!repository.hasPulls || repository.branches.size === 0) throw refuse.notFound()
  const title = requiredText(body, 'title', refuse)
  const labelIds = idsField(body, 'labels', refuse) ?? []
  const logins = textsField(body, 'assignees', refuse) ?? []
  const issue = await openPull(context, repository, {
    title,
    body: textField(body, 'body', refuse) ?? '',
    head: textField(body, 'head', refuse) ?? '',
    base: textField(body, 'base', refuse) ?? '',
    author,
    labelIds,
    assignees: context.mayWrite(repository) ? newAssignees(state, repository, logins, refuse) : [],
  })
  return created(await view(context, issue))
}

const read: Handler = async (context) => ok(await view(context, context.pull(withPulls(context))))

/** The oldest of the pair, a closed one too. */
const byBranches: Handler = async (context) => {
  const repository = withPulls(context)
  const head = headOf(context.state, repository, context.param('head'))
  const base = context.param('base')
  const isExact = !context.param('head').includes(':') || context.param('head').includes('/')
  const found = pullsOf(repository).find(
    ({ pull }) =>
      isExact && pull.headRepository === head?.repository && pull.head === head.branch && pull.base === base,
  )
  if (found === undefined) throw context.refuse.notFound()
  return ok(await view(context, found))
}

const edit: Handler = async (context) => {
  const repository = context.repository()
  const user = context.signedIn()
  const issue = context.pull(repository)
  context.mayEdit(repository, issue.author)
  const { state, body, refuse } = context
  const base = textField(body, 'base', refuse)
  if (base !== undefined && base !== issue.pull.base && !repository.branches.has(base)) {
    throw refuse(404, `new base '${base}' not exist`)
  }
  const labelIds = idsField(body, 'labels', refuse)
  const assignees = textsField(body, 'assignees', refuse)
  editIssue(context, issue)
  if (base !== undefined) issue.pull.base = base
  if (labelIds !== undefined && context.mayWrite(repository)) {
    const labels = labelsById(state, repository, labelIds)
    for (const label of issue.labels.filter((each) => !labels.includes(each)))
      removeLabel(state, issue, label, user)
    for (const label of labels) addLabel(state, issue, label, user)
  }
  if (assignees !== undefined && context.mayWrite(repository)) {
    setAssignees(state, issue, newAssignees(state, repository, assignees, refuse), user)
  }
  return created(await view(context, issue))
}

const merge: Handler = async (context): Promise<Answer> => {
  const repository = context.repository()
  const issue = context.pull(repository)
  const { body, refuse } = context
  const style = textField(body, 'Do', refuse)
  if (style !== 'merge' && style !== 'squash') throw refuse(422, '[Do]: In')
  await mergePull(
    context,
    issue,
    {
      style,
      expectedHead: textField(body, 'head_commit_id', refuse) ?? '',
      deletesBranch: flagField(body, 'delete_branch_after_merge') ?? false,
      title: textField(body, 'MergeTitleField', refuse) ?? '',
    },
    context.signedIn(),
  )
  return { status: 200 }
}

const isMerged: Handler = (context) => {
  const issue = context.pull(context.repository())
  if (issue.pull.mergedAt === null) throw context.refuse.notFound()
  return noContent
}

const diff: Handler = async (context) => {
  const repository = context.repository()
  const number = Number(/^(\d+)\.(?:diff|patch)$/.exec(context.param('index'))?.[1] ?? Number.NaN)
  const issue = issueOf(repository, number)
  const pull = issue?.pull
  if (pull === undefined || pull === null) throw context.refuse.notFound()
  const text = await context.git.git(repository.id, ['diff', pull.mergeBase, pull.headSha])
  return { status: 200, text: `${text}\n`, contentType: 'text/plain; charset=utf-8' }
}

const readOrDiff: Handler = (context) =>
  /\.(diff|patch)$/.test(context.param('index')) ? diff(context) : read(context)

const at = 'repos/:owner/:repo/pulls'

export const pullRoutes: readonly Route[] = [
  { method: 'GET', pattern: at, category: 'repository', handle: all },
  { method: 'POST', pattern: at, category: 'repository', handle: open },
  { method: 'GET', pattern: `${at}/:index`, category: 'repository', handle: readOrDiff },
  { method: 'PATCH', pattern: `${at}/:index`, category: 'repository', handle: edit },
  { method: 'GET', pattern: `${at}/:index/merge`, category: 'repository', handle: isMerged },
  { method: 'POST', pattern: `${at}/:index/merge`, category: 'repository', handle: merge },
]

/** After the reviews, whose addresses it would hide. */
export const pullByBranchesRoutes: readonly Route[] = [
  { method: 'GET', pattern: `${at}/:base/*head`, category: 'repository', handle: byBranches },
]
