import { missingWords } from '@shared/forge-words'
import { ok } from '@shared/result'
import type { ForgePerson } from '../../ports/forge'
import type { FoundAccess } from './forge-access'
import { problem, type ForgeAnswer, type ForgeParts } from './forge-parts'

/** Whose token it is, once it can do all that Alfred does; what the forge does not tell counts as working. */
export async function checkToken(
  { connector }: Pick<ForgeParts, 'connector'>,
  { access, address }: FoundAccess,
): ForgeAnswer<ForgePerson> {
  const examined = await connector.examineToken(access)
  if (!examined.ok) return examined
  const { account, grants } = examined.value
  const missing = missingWords(grants)
  if (missing !== '') return problem('token_weak', `The token for ${address.name} lacks ${missing}.`)
  return account === null
    ? problem('token_weak', `${address.name} does not say whose token this is.`)
    : ok(account)
}
