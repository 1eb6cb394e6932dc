import { z } from 'zod'
import type { ForgeProblem, TokenGrant } from '@shared/contract/forges'
import { ok, type Result } from '@shared/result'
import type { TokenReport } from '@main/ports/forge-connector'
import type { ForgejoFailure } from '../status-errors'
import type { ForgejoAnswer, ForgejoTransport } from '../transport'
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

/** A project that is not there; the scopes are checked all the same. */
const nowhere = '/repos/alfred/there-is-no-such-project'

type Asked = Result<ForgejoAnswer, ForgejoFailure>

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
  const grants: TokenGrant[] = [{ need: 'account', scope: 'read:user', state: me.ok ? 'works' : 'missing' }]
  for (const { need, scope, ask } of probes) {
    const state = stateOf(await ask(transport))
    // A broken connection says nothing about the token.
    if (typeof state !== 'string') return problemOf(state, where)
    grants.push({ need, scope, state })
  }
  const account = person?.success === true ? person.data : null
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

/** The words differ between versions; only the one that all have is looked for. */
const lacksScope = ({ status, serverMessage }: ForgejoFailure): boolean =>
  status === 403 && /required scope/i.test(serverMessage ?? '')

/** Suspended, to change its password, or another thing that only the person can mend. */
const accountWords = (where: string, { serverMessage }: ForgejoFailure): string =>
  `${where} does not let this account in.${serverMessage === null ? '' : ` It says: ${serverMessage}`}`
