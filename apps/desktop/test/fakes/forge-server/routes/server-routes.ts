import { roleOf, sees } from '../access'
import { noContent, ok } from '../answer'
import { textField, textsField } from '../fields'
import type { ForgeToken, ForgeUser } from '../forge-model'
import { list, totalHeaders } from '../paging'
import type { RouteContext } from '../route-context'
import type { Handler, Route } from '../router'
import type { Json } from '../views/user-view'

/*
 * The server itself, people, and their tokens.
 */

const version: Handler = (context) => ok({ version: context.traits.version })

const apiSettings: Handler = ({ parts }) =>
  ok({
    max_response_items: parts.pageSizes.largest,
    default_paging_num: parts.pageSizes.standard,
    default_git_trees_per_page: 1000,
    default_max_blob_size: 10485760,
    ...(parts.traits.isForgejo ? {} : { default_max_response_size: 104857600 }),
  })

const repositorySettings: Handler = ({ traits }) =>
  ok({
    mirrors_disabled: false,
    http_git_disabled: false,
    migrations_disabled: false,
    stars_disabled: false,
    ...(traits.isForgejo ? { forks_disabled: false } : {}),
    time_tracking_disabled: false,
    lfs_disabled: false,
  })

const currentUser: Handler = (context) => ok(context.views.user(context.signedIn()))

const user: Handler = (context) => {
  const login = context.param('login')
  const found = context.state.user(login)
  if (found === undefined) throw context.refuse(404, `user redirect does not exist [name: ${login}]`)
  return ok(context.views.user(found))
}

const organizationsOf = (context: RouteContext, member: ForgeUser): ForgeUser[] =>
  context.state.users.filter((each) => each.isOrganization && each.members.has(member.id))

const ownOrganizations: Handler = (context) => {
  const all = organizationsOf(context, context.signedIn())
  const { items, headers } = context.linkedPage(all)
  return list(
    items.map((each) => context.views.organization(each)),
    headers,
  )
}

/** What the caller owns or was given, by name; public repositories of strangers are not among them. */
const ownRepositories: Handler = (context) => {
  const me = context.signedIn()
  const mine = context.state.repositories
    .filter((each) => sees(each, context.caller))
    .filter(
      ({ owner, collaborators }) =>
        owner.id === me.id || owner.members.has(me.id) || collaborators.has(me.id),
    )
    .sort((a, b) => (a.name === b.name ? a.id - b.id : a.name < b.name ? -1 : 1))
  const { items, headers } = context.linkedPage(mine)
  return list(
    items.map((each) => context.views.repository(each)),
    headers,
  )
}

const tokenView = (token: ForgeToken, secret: string): Json => ({
  id: token.id,
  name: token.name,
  sha1: secret,
  token_last_eight: token.secret.slice(-8),
  scopes: token.scopes,
})

const tokens: Handler = (context) => {
  mayManageTokens(context, context.traits.listsTokensByToken)
  const owner = context.state.user(context.param('login'))
  const all = context.state.tokens.filter((token) => token.userId === owner?.id && !token.isRevoked)
  return list(
    all.map((token) => tokenView(token, '')),
    totalHeaders(all.length),
  )
}

const categories = [
  'activitypub',
  'admin',
  'issue',
  'misc',
  'notification',
  'organization',
  'package',
  'repository',
  'user',
]
const knownScopes = new Set([
  'all',
  'public-only',
  ...categories.flatMap((category) => [`read:${category}`, `write:${category}`]),
])

const makeToken: Handler = (context) => {
  const owner = mayManageTokens(context, false)
  const scopes = textsField(context.body, 'scopes', context.refuse) ?? []
  if (scopes.length === 0) throw context.refuse(400, 'access token must have a scope')
  const odd = scopes.find((scope) => !knownScopes.has(scope))
  if (odd !== undefined) {
    throw context.refuse(400, `invalid access token scope provided: invalid access token scope: ${odd}`)
  }
  const name = textField(context.body, 'name', context.refuse) ?? ''
  const token = context.state.newToken(owner.id, name, scopes)
  return { status: 201, json: tokenView(token, token.secret) }
}

const dropToken: Handler = (context) => {
  const owner = mayManageTokens(context, false)
  const named = context.param('token')
  const token = context.state.tokens.find(
    (each) => each.userId === owner.id && (each.name === named || String(each.id) === named),
  )
  if (token === undefined) throw context.refuse.notFound()
  token.isRevoked = true
  return noContent
}

/** Tokens are made and dropped with the password, not with a token. */
function mayManageTokens(context: RouteContext, byToken: boolean): ForgeUser {
  const me = context.signedIn()
  if (!context.caller.hasPassword && !byToken) {
    throw context.refuse(401, context.traits.listsTokensByToken ? 'auth method not allowed' : 'auth required')
  }
  return me
}

const block =
  (isBlocked: boolean): Handler =>
  (context) => {
    const me = context.signedIn()
    const other = context.state.user(context.param('login'))
    if (other === undefined) throw context.refuse.notFound()
    if (!isBlocked) {
      me.blocked.delete(other.id)
      return noContent
    }
    me.blocked.add(other.id)
    // The access is gone for good: taking the block back does not bring it back.
    for (const each of context.state.repositories)
      if (each.owner.id === me.id) each.collaborators.delete(other.id)
    return noContent
  }

const organization: Handler = (context) => ok(context.views.organization(organizationOf(context)))

export function organizationOf(context: RouteContext): ForgeUser {
  const name = context.param('org')
  const found = context.state.user(name)
  if (found === undefined || !found.isOrganization) {
    throw context.refuse.notFound([`user redirect does not exist [name: ${name}]`], 'GetOrgByName')
  }
  return found
}

const organizationRepositories: Handler = (context) => {
  const owner = organizationOf(context)
  const all = context.state.repositories.filter(
    (each) => each.owner === owner && !each.isDeleted && roleOf(each, context.caller.user) !== null,
  )
  const { items, headers } = context.linkedPage(all)
  return list(
    items.map((each) => context.views.repository(each)),
    headers,
  )
}

export const serverRoutes: readonly Route[] = [
  { method: 'GET', pattern: 'version', category: 'misc', handle: version },
  { method: 'GET', pattern: 'settings/api', category: 'misc', handle: apiSettings },
  { method: 'GET', pattern: 'settings/repository', category: 'misc', handle: repositorySettings },
  { method: 'GET', pattern: 'user', category: 'user', handle: currentUser },
  { method: 'GET', pattern: 'user/orgs', category: 'user', handle: ownOrganizations },
  { method: 'GET', pattern: 'user/repos', category: 'user', handle: ownRepositories },
  { method: 'GET', pattern: 'users/:login', category: 'user', handle: user },
  { method: 'GET', pattern: 'users/:login/tokens', category: 'user', handle: tokens },
  { method: 'POST', pattern: 'users/:login/tokens', category: 'user', handle: makeToken },
  { method: 'DELETE', pattern: 'users/:login/tokens/:token', category: 'user', handle: dropToken },
  { method: 'GET', pattern: 'orgs/:org', category: 'organization', handle: organization },
  { method: 'GET', pattern: 'orgs/:org/repos', category: 'organization', handle: organizationRepositories },
]

/** Of Gitea only. */
export const blockRoutes: readonly Route[] = [
  { method: 'PUT', pattern: 'user/blocks/:login', category: 'user', handle: block(true) },
  { method: 'DELETE', pattern: 'user/blocks/:login', category: 'user', handle: block(false) },
]
