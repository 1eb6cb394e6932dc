import { z } from 'zod'
import type { ForgeProblem, TokenGrant } from '@shared/contract/forges'
import { ok, type Result } from '@shared/result'
import type { TokenReport } from '@main/ports/forge-connector'
import type { ForgejoFailure } from '../status-errors'
import { type ForgejoAnswer, type ForgejoTransport, pathOf } from '../transport'
import { problem, problemOf } from './problems'

/*
 * Neither server lists what a token may do, but both check scopes before they look whether anything is there: asking
 * for what cannot be there is 403 without the scope and 404 with it. Nothing is changed by that, since no issue has
 * the number 0.
 */

const personSchema = z.object({
  id: z.number().int(),
  login: z.string().min(1).max(200),
  full_name: z.string().max(500).nullish(),
})

/** A project and an organization that are not there; the scopes are checked all the same. */
const nowhere = '/repos/alfred/there-is-no-such-project'
const nobody = '/orgs/there-is-no-such-organization'

type Asked = Result<ForgejoAnswer, ForgejoFailure>

const organizationLabels: Probe = {
  need: 'organization_labels',
  scope: 'read:organization',
  ask: (forge) => forge.get(`${nobody}/labels`, { query: { page: 1, limit: 1 } }),
}

interface Probe extends Omit<TokenGrant, 'state'> {
  readonly ask: (transport: ForgejoTransport) => Promise<Asked>
}

const probes: readonly Probe[] = [
  {
    need: 'read_issues',
    scope: 'read:issue',
    ask: (forge) => forge.get('/repos/issues/search', { query: { type: 'issues', page: 1, limit: 1 } }),
  },
  { need: 'write_issues', scope: 'write:issue', ask: (forge) => forge.patch(`${nowhere}/issues/0`, {}) },
  { need: 'read_code', scope: 'read:repository', ask: (forge) => forge.get(nowhere) },
  { need: 'write_code', scope: 'write:repository', ask: (forge) => forge.patch(`${nowhere}/pulls/0`, {}) },
]

export async function examineToken(
  transport: ForgejoTransport,
  where: string,
  token: string,
): Promise<Result<TokenReport, ForgeProblem>> {
  const me = await transport.get('/user')
  if (!me.ok && !lacksScope(me.error)) {
    return me.error.status === 403
      ? problem('forbidden', accountWords(where, me.error))
      : problemOf(me.error, where)
  }
  const person = me.ok ? personSchema.safeParse(me.value.body) : null
  if (person?.success === false)
    return problem('unexpected_answer', `${where} does not say whose token this is.`)
  const asked: Asked[] = [me]
  const grants: TokenGrant[] = [{ need: 'account', scope: 'read:user', state: me.ok ? 'works' : 'missing' }]
  for (const { need, scope, ask } of probes) {
    const answer = await ask(transport)
    asked.push(answer)
    const state = stateOf(answer)
    // A broken connection says nothing about the token.
    if (typeof state !== 'string') return problemOf(state, where)
    grants.push({ need, scope, state })
  }
  const account = person?.success === true ? person.data : null
  const organization = await organizationLabels.ask(transport)
  const refusals = [...asked, organization]
  grants.push(
    {
      need: 'private_projects',
      scope: 'all repositories',
      state: await reachOf(transport, { refusals, login: account?.login ?? null, token }),
    },
    { need: 'organization_labels', scope: organizationLabels.scope, state: gentleStateOf(organization) },
  )
  return ok({
    account: account && {
      id: String(account.id),
      login: account.login,
      name: account.full_name || account.login,
    },
    grants,
  })
}

function stateOf(asked: Asked): TokenGrant['state'] | ForgejoFailure {
  if (asked.ok) return 'works'
  const { status, code, type } = asked.error
  if (lacksScope(asked.error)) return 'missing'
  if (status === 404) return 'works'
  return code !== null || status === null || type === 'unauthorized' || type === 'rate_limited'
    ? asked.error
    : 'unknown'
}

/** Alfred can do without it, so a broken connection here ends nothing. */
const gentleStateOf = (asked: Asked): TokenGrant['state'] => {
  const state = stateOf(asked)
  return typeof state === 'string' ? state : 'unknown'
}

const ownTokensSchema = z.array(
  z.object({ token_last_eight: z.string(), scopes: z.array(z.string()).nullish() }),
)

/**
 * Whether the token reaches private projects. Gitea tells the scopes of a token that lacks one; Forgejo lists one's own
 * tokens to a token. Else nobody tells: then private projects are not in the list to choose from.
 */
async function reachOf(
  transport: ForgejoTransport,
  {
    refusals,
    login,
    token,
  }: { readonly refusals: readonly Asked[]; readonly login: string | null; readonly token: string },
): Promise<TokenGrant['state']> {
  for (const refusal of refusals) {
    const scopes = refusal.ok ? null : /token scope=(.+)$/.exec(refusal.error.serverMessage ?? '')?.[1]
    if (scopes) return scopes.split(',').includes('public-only') ? 'missing' : 'works'
  }
  if (login === null) return 'unknown'
  const listed = await transport.get(pathOf`/users/${login}/tokens`, { query: { page: 1, limit: 50 } })
  const tokens = listed.ok ? ownTokensSchema.safeParse(listed.value.body) : null
  const own = tokens?.data?.filter((one) => one.token_last_eight === token.slice(-8)) ?? []
  const [only] = own
  if (own.length !== 1 || !only?.scopes) return 'unknown'
  return only.scopes.includes('public-only') ? 'missing' : 'works'
}

/** The words differ between versions; only the one that all have is looked for. */
const lacksScope = ({ status, serverMessage }: ForgejoFailure): boolean =>
  status === 403 && /required scope/i.test(serverMessage ?? '')

/** Suspended, to change its password, or another thing that only the person can mend. */
const accountWords = (where: string, { serverMessage }: ForgejoFailure): string =>
  `${where} does not let this account in.${serverMessage === null ? '' : ` It says: ${serverMessage}`}`
