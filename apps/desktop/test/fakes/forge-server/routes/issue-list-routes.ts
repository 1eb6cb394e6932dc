import { sees } from '../access'
import { timeField } from '../fields'
import type { ForgeIssue, ForgeRepository } from '../forge-model'
import { fullName } from '../forge-state'
import { list, totalHeaders } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'

/*
 * Lists of issues, newest first. Names of labels are looked up before they filter: a name that nobody has filters
 * nothing.
 */

const newestFirst = (a: ForgeIssue, b: ForgeIssue): number => b.createdAt - a.createdAt || b.id - a.id

/** By type, state and time; unknown words count as not given. */
function narrow(issues: readonly ForgeIssue[], context: RouteContext): ForgeIssue[] {
  const { query, refuse } = context
  const type = query.get('type')
  const state = query.get('state')
  const since = timeField(query, 'since', refuse)
  const before = timeField(query, 'before', refuse)
  const words = (query.get('q') ?? '').toLowerCase()
  return issues
    .filter(({ pull }) => (type === 'issues' ? pull === null : type === 'pulls' ? pull !== null : true))
    .filter(({ isOpen }) => (state === 'all' ? true : isOpen === (state !== 'closed')))
    .filter(
      ({ updatedAt }) => (since === null || updatedAt >= since) && (before === null || updatedAt <= before),
    )
    .filter((issue) => words === '' || `${issue.title}\n${issue.body}`.toLowerCase().includes(words))
}

const wantedNames = (query: URLSearchParams): string[] =>
  (query.get('labels') ?? '').split(',').filter((name) => name !== '')

const search: Handler = (context) => {
  const { state, query, caller } = context
  let repositories = state.repositories.filter((each) => sees(each, caller) && each.hasIssues)
  const owner = query.get('owner')
  if (owner !== null && owner !== '') {
    const found = state.user(owner)
    if (found === undefined) throw context.refuse(400, `user does not exist [uid: 0, name: ${owner}]`)
    repositories = repositories.filter((each) => each.owner === found)
  }
  const names = wantedNames(query)
  const known = names.filter((name) => everyName(context).has(name))
  const all = narrow(
    repositories.flatMap(({ issues }) => issues),
    context,
  )
    .filter((issue) => known.length === 0 || issue.labels.some(({ name }) => known.includes(name)))
    .filter((issue) => concernsMe(issue, context))
    .sort(newestFirst)
  // Without a limit the older servers give every one on the first page, whatever their page sizes are.
  const isWhole = !context.traits.limitsWithoutPage && !query.has('limit')
  if (isWhole) {
    const items = context.page().number > 1 ? [] : all
    return list(
      items.map((issue) => context.views.issue(issue)),
      totalHeaders(all.length),
    )
  }
  const { items, headers } = context.linkedPage(all)
  return list(
    items.map((issue) => context.views.issue(issue)),
    headers,
  )
}

function everyName({ state }: RouteContext): ReadonlySet<string> {
  const owned = state.users.flatMap(({ labels }) => labels)
  return new Set([...state.repositories.flatMap(({ labels }) => labels), ...owned].map(({ name }) => name))
}

/** `assigned`, `created`, `mentioned` and the like are about the caller; nobody is concerned by nothing. */
function concernsMe(issue: ForgeIssue, { query, caller }: RouteContext): boolean {
  const me = caller.user
  const asks = (name: string): boolean => query.get(name) === 'true'
  if (asks('assigned') && !(me !== null && issue.assignees.includes(me))) return false
  if (asks('created') && issue.author !== me) return false
  if (asks('mentioned') && !(me !== null && mentions(issue, me.login))) return false
  if (asks('review_requested') || asks('reviewed')) {
    const mine = issue.pull?.reviews.filter(({ user }) => user === me) ?? []
    const requested = mine.some(({ state }) => state === 'REQUEST_REVIEW')
    return asks('review_requested') ? requested : mine.length > 0 && !requested
  }
  return true
}

const mentions = (issue: ForgeIssue, login: string): boolean =>
  [issue.body, ...issue.entries.map(({ body }) => body)].some((text) =>
    new RegExp(`(^|[^\\w@])@${login}\\b`, 'i').test(text),
  )

const ofRepository: Handler = (context) => {
  const repository = context.tracker()
  const person = (field: string): number | null => {
    const login = context.query.get(field)
    if (login === null || login === '') return null
    const found = context.state.user(login)
    if (found !== undefined) return found.id
    throw context.refuse.notFound([`user does not exist [uid: 0, name: ${login}]`])
  }
  const assignee = person('assigned_by')
  const author = person('created_by')
  const wanted = knownLabels(repository, wantedNames(context.query))
  const all = narrow(repository.issues, context)
    .filter((issue) => wanted.every((name) => issue.labels.some((label) => label.name === name)))
    .filter((issue) => assignee === null || issue.assignees.some(({ id }) => id === assignee))
    .filter((issue) => author === null || issue.author.id === author)
    .sort(orderOf(context))
  const { items, headers } = context.linkedPage(all)
  return list(
    items.map((issue) => context.views.issue(issue)),
    headers,
  )
}

/** The organization's labels are not looked up here. */
const knownLabels = (repository: ForgeRepository, names: readonly string[]): string[] =>
  names.filter((name) => repository.labels.some((label) => label.name === name))

function orderOf({ traits, query }: RouteContext): (a: ForgeIssue, b: ForgeIssue) => number {
  if (traits.sortsRepositoryList && query.get('sort') === 'recentupdate') {
    return (a, b) => b.updatedAt - a.updatedAt || newestFirst(a, b)
  }
  return newestFirst
}

const searchRepositories: Handler = (context) => {
  const words = (context.query.get('q') ?? '').toLowerCase()
  const all = context.state.repositories.filter(
    (each) =>
      sees(each, context.caller) && fullName(each).split('/')[1]?.toLowerCase().includes(words) === true,
  )
  const { items, headers } = context.linkedPage(all)
  return list({ ok: true, data: items.map((each) => context.views.repository(each)) }, headers)
}

export const issueListRoutes: readonly Route[] = [
  { method: 'GET', pattern: 'repos/issues/search', category: 'issue', handle: search },
  { method: 'GET', pattern: 'repos/search', category: 'repository', handle: searchRepositories },
  { method: 'GET', pattern: 'repos/:owner/:repo/issues', category: 'issue', handle: ofRepository },
]
