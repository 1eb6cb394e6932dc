import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from './access'
import { Refusal, type Refusals } from './answer'
import type { ForgeState } from './forge-state'
import type { ForgeTraits } from './forge-traits'

/*
 * Who asks: a token as `token`, `Bearer`, Basic password or query, or name and password. And what a token may.
 */

export type Category = 'user' | 'issue' | 'repository' | 'organization' | 'notification' | 'misc'

const anonymous: Caller = { user: null, token: null, hasPassword: false }

/** null: credentials that nobody has. */
export function findCaller(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  state: ForgeState,
): Caller | null {
  const fromQuery = query.get('token') ?? query.get('access_token')
  if (fromQuery !== null) return callerOfToken(fromQuery, state)
  const [scheme = '', ...rest] = (headers.authorization ?? '').split(' ')
  const credentials = rest.join(' ').trim()
  if (/^(token|bearer)$/i.test(scheme)) return callerOfToken(credentials, state)
  if (!/^basic$/i.test(scheme)) return anonymous
  const [name = '', ...words] = Buffer.from(credentials, 'base64').toString('utf8').split(':')
  const password = words.join(':')
  for (const secret of [password, name]) {
    const caller = callerOfToken(secret, state)
    if (caller !== null) return caller
  }
  const user = state.user(name)
  return user !== undefined && user.password !== '' && user.password === password
    ? { user, token: null, hasPassword: true }
    : null
}

function callerOfToken(secret: string, state: ForgeState): Caller | null {
  const token = state.tokens.find((each) => each.secret === secret && !each.isRevoked)
  return token === undefined ? null : { user: state.userById(token.userId), token, hasPassword: false }
}

/** The caller, or the refusal that comes before every route. */
export function signIn(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  parts: {
    readonly state: ForgeState
    readonly traits: ForgeTraits
    readonly refuse: Refusals
    readonly root: string
  },
): Caller {
  const { state, traits, refuse, root } = parts
  const caller = findCaller(headers, query, state)
  if (caller === null) throw refuse(401, traits.wrongToken)
  const { user } = caller
  const forbid = (message: string): Refusal => new Refusal({ status: 403, json: { message } })
  if (user?.refusal === 'prohibited' || user?.refusal === 'inactive') {
    throw forbid('This account is prohibited from signing in, please contact your site administrator.')
  }
  if (user?.refusal === 'must_change_password') {
    throw forbid(`You must change your password. Change it at: ${root}//user/change_password`)
  }
  if (!query.has('sudo')) return caller
  if (user?.isAdmin !== true) throw forbid('Only administrators allowed to sudo.')
  return { ...caller, user: state.user(query.get('sudo') ?? '') ?? user }
}

/** Refuses a token without the scope that the category asks for; reading needs `read`, everything else `write`. */
export function checkScope(
  caller: Caller,
  category: Category,
  method: string,
  parts: { readonly traits: ForgeTraits; readonly refuse: Refusals },
): void {
  if (caller.token === null || category === 'misc') return
  const level = method === 'GET' || method === 'HEAD' ? 'read' : 'write'
  if (hasScope(caller.token.scopes, category, level)) return
  const required = `[${level}:${category}]`
  const message = parts.traits.namesTokenScopes
    ? `token does not have at least one of required scope(s), required=${required}, token scope=${caller.token.scopes.join(',')}`
    : `token does not have at least one of required scope(s): ${required}`
  throw parts.refuse(403, message)
}

export const hasScope = (scopes: readonly string[], category: Category, level: 'read' | 'write'): boolean =>
  scopes.includes('all') ||
  scopes.includes(`write:${category}`) ||
  (level === 'read' && scopes.includes(`read:${category}`))
