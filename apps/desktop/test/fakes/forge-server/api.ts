import type { IncomingHttpHeaders } from 'node:http'
import { plainText, refusalsOf, Refusal, type Answer } from './answer'
import type { ForgeState } from './forge-state'
import type { ForgeTraits } from './forge-traits'
import type { BareRepositories } from './git/bare-repositories'
import type { PageSizes } from './paging'
import { fieldsOf } from './request-body'
import { RouteContext } from './route-context'
import { findRoute, type Route } from './router'
import { branchRoutes } from './routes/branch-routes'
import { commentRoutes } from './routes/comment-routes'
import { issueLabelRoutes } from './routes/issue-label-routes'
import { issueListRoutes } from './routes/issue-list-routes'
import { issueRoutes, lockRoutes } from './routes/issue-routes'
import { labelRoutes } from './routes/label-routes'
import { pullByBranchesRoutes, pullRoutes } from './routes/pull-routes'
import { repositoryRoutes } from './routes/repository-routes'
import { resolveRoutes, reviewRoutes } from './routes/review-routes'
import { blockRoutes, serverRoutes } from './routes/server-routes'
import { statusRoutes } from './routes/status-routes'
import { checkScope, signIn } from './sign-in'
import { addressesFor } from './views/addresses'
import { Views } from './views/views'

/*
 * One request of the API, from its address to its answer.
 */

export interface ApiParts {
  readonly state: ForgeState
  readonly traits: ForgeTraits
  readonly git: BareRepositories
  /** Configured address. */
  readonly root: string
  /** What the root's path puts before every path. */
  readonly prefix: string
  readonly pageSizes: PageSizes
}

export interface ApiRequest {
  readonly method: string
  /** Below the root, as it was sent. */
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export function routesOf(traits: ForgeTraits): readonly Route[] {
  return [
    ...serverRoutes,
    ...(traits.canBlock ? blockRoutes : []),
    ...issueListRoutes,
    ...repositoryRoutes,
    ...commentRoutes,
    ...issueRoutes,
    ...(traits.canLock ? lockRoutes : []),
    ...labelRoutes,
    ...issueLabelRoutes,
    ...branchRoutes,
    ...statusRoutes,
    ...pullRoutes,
    ...reviewRoutes,
    ...(traits.hasContentVersion ? resolveRoutes : []),
    ...pullByBranchesRoutes,
  ]
}

export const isApiPath = (pathname: string): boolean => /^\/api\/v1(\/|$)/.test(pathname)

export async function answerApi(
  request: ApiRequest,
  parts: ApiParts,
  routes: readonly Route[],
): Promise<Answer> {
  const { traits, state, root, prefix } = parts
  const refuse = refusalsOf(traits, root)
  const { method, url, headers } = request
  const path = url.pathname.replace(/^\/api\/v1\/?/, '').replace(/\/$/, '')
  try {
    const caller = signIn(headers, url.searchParams, { ...parts, refuse })
    const found = findRoute(routes, method, path)
    if (found === null)
      return { status: 404, text: '404 page not found\n', contentType: 'text/plain; charset=utf-8' }
    if ('allow' in found) return { status: 405, headers: { allow: found.allow.join(', ') } }
    checkScope(caller, found.route.category, method, { traits, refuse })
    const needsBody = method !== 'GET' && method !== 'DELETE'
    const context = new RouteContext({
      state,
      traits,
      git: parts.git,
      refuse,
      caller,
      views: new Views({ traits, addresses: addressesFor(headers, traits, root), state }, caller.user),
      pageSizes: parts.pageSizes,
      method,
      address: `${prefix}${url.pathname}${url.search}`,
      apiUrl: `${root}${url.pathname}`,
      query: url.searchParams,
      params: found.params,
      body: needsBody ? fieldsOf(request.body, headers['content-type'] ?? '', refuse) : {},
    })
    return await found.route.handle(context)
  } catch (error) {
    if (error instanceof Refusal) return error.answer
    return plainText(
      500,
      `The fake forge itself failed: ${String(error instanceof Error ? error.stack : error)}\n`,
    )
  }
}
