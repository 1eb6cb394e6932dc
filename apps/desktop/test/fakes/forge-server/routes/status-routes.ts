import { created, ok } from '../answer'
import { textField } from '../fields'
import type { CommitStatus, ForgeRepository } from '../forge-model'
import { fullName } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import { linkedHeaders, list, slice, totalHeaders } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'
import { statusView } from '../views/branch-view'

/*
 * Commit statuses. The combined state covers the returned page only.
 */

const set: Handler = async (context) => {
  const repository = context.repository()
  context.mustWrite(repository)
  const { body, refuse } = context
  const commit = await context.git.commit(repository.id, context.param('sha'))
  if (commit === null) throw refuse.unexpected()
  const status: CommitStatus = {
    id: context.state.idOf('status'),
    sha: commit.sha,
    context: textField(body, 'context', refuse) ?? '',
    state: textField(body, 'state', refuse) ?? '',
    description: textField(body, 'description', refuse) ?? '',
    targetUrl: textField(body, 'target_url', refuse) ?? '',
    creatorId: context.signedIn().id,
    at: context.now,
  }
  repository.statuses.push(status)
  return created(statusView(repository, status, context.views.parts))
}

async function shaOf(context: RouteContext, repository: ForgeRepository): Promise<string | null> {
  const reference = context.param('ref')
  const branch = repository.branches.get(reference)
  if (branch !== undefined) return branch
  const commit = /^[0-9a-f]{4,40}$/.test(reference)
    ? await context.git.commit(repository.id, reference)
    : null
  return commit?.sha ?? null
}

/** The newest of each context, newest first. */
function latest(repository: ForgeRepository, sha: string): CommitStatus[] {
  const byContext = new Map<string, CommitStatus>()
  for (const status of repository.statuses) if (status.sha === sha) byContext.set(status.context, status)
  return [...byContext.values()].sort((a, b) => b.id - a.id)
}

const combined: Handler = async (context) => {
  const repository = context.repository()
  const { traits, query } = context
  if (traits.isForgejo && repository.branches.size === 0) throw context.refuse.unexpected()
  const sha = await shaOf(context, repository)
  if (sha === null && !traits.isForgejo) {
    throw context.refuse.notFound([`object does not exist [id: ${context.param('ref')}, rel_path: ]`])
  }
  const all = sha === null ? [] : latest(repository, sha)
  // Pages are cut from the newest on, and each is told from its oldest.
  const shown = slice(all, context.page()).toReversed()
  if (traits.isForgejo && shown.length === 0) {
    return ok({
      state: '',
      sha: '',
      total_count: 0,
      statuses: null,
      repository: null,
      commit_url: '',
      url: '',
    })
  }
  const address = `${context.views.parts.addresses.root}/api/v1/repos/${fullName(repository)}/commits/${sha ?? ''}`
  return list(
    {
      state: fold(shown, traits),
      sha,
      total_count: shown.length,
      statuses:
        shown.length === 0
          ? null
          : shown.map((status) => statusView(repository, status, context.views.parts)),
      repository: context.views.repository(repository),
      commit_url: traits.isForgejo ? '' : address,
      url: traits.isForgejo ? '' : `${address}/status`,
    },
    traits.limitsWithoutPage
      ? linkedHeaders(all.length, context.page(), { url: context.parts.apiUrl, query })
      : totalHeaders(all.length),
  )
}

function fold(statuses: readonly CommitStatus[], traits: ForgeTraits): string {
  const states = statuses.map(({ state }) => state)
  if (states.some((state) => state === 'error' || state === 'failure')) return 'failure'
  if (states.includes('pending')) return 'pending'
  if (states.includes('warning')) return traits.warningState
  return states.length === 0 ? traits.stateWithoutStatuses : 'success'
}

/** Every status that was ever set; its order is promised by nobody unless it was asked for. */
const listed: Handler = async (context) => {
  const repository = context.repository()
  const sha = await shaOf(context, repository)
  if (sha === null) throw context.refuse.notFound()
  const { query } = context
  const state = query.get('state')
  const all = repository.statuses.filter(
    (status) => status.sha === sha && (state === null || state === '' || status.state === state),
  )
  if (query.get('sort') === 'leastindex') all.reverse()
  const { items } = context.pageWithoutLinks(all)
  // The links speak of pages although all may have been given.
  const headers = linkedHeaders(all.length, context.page(), { url: context.parts.apiUrl, query })
  return list(
    items.map((status) => statusView(repository, status, context.views.parts)),
    headers,
  )
}

const at = 'repos/:owner/:repo'

export const statusRoutes: readonly Route[] = [
  { method: 'POST', pattern: `${at}/statuses/:sha`, category: 'repository', handle: set },
  { method: 'GET', pattern: `${at}/commits/:ref/status`, category: 'repository', handle: combined },
  { method: 'GET', pattern: `${at}/commits/:ref/statuses`, category: 'repository', handle: listed },
]
