import type { ForgeId } from '@shared/model/ids'
import { ok } from '@shared/result'
import { audit } from './add-forge'
import { checkToken } from './check-token'
import { accessTo, findForge, withToken } from './forge-access'
import { problem, type ForgeAnswer, type ForgeParts } from './forge-parts'
import { keepToken } from './keep-token'

export interface ForgeChange {
  readonly forgeId: ForgeId
  /** null: the one that is kept. */
  readonly token: string | null
  readonly caFile: string | null
  readonly mayKeepInFile: boolean
}

/** Another token or CA file for a connected forge, tried before it counts; the account stays the same. */
export async function changeForge(parts: ForgeParts, wanted: ForgeChange): ForgeAnswer<void> {
  const { forgeId, token, caFile, mayKeepInFile } = wanted
  const forge = findForge(parts, forgeId)
  if (!forge.ok) return forge
  const { baseUrl, name, accountId, accountLogin } = forge.value
  const found = withToken(parts, await accessTo(parts, { url: baseUrl, caFile, token }))
  if (!found.ok) return found
  const identity = await parts.connector.identify(found.value.access)
  if (!identity.ok) return identity
  const account = await checkToken(parts, found.value)
  if (!account.ok) return account
  if (account.value.id !== accountId) {
    return problem(
      'other_account',
      `This is a token of ${account.value.login}; Alfred works as ${accountLogin} there. Another account needs a connection of its own: remove this one first.`,
    )
  }
  const kept = token === null ? ok(undefined) : await keepToken(parts, name, token, mayKeepInFile)
  if (!kept.ok) return kept
  const { kind } = identity.value
  parts.store.forges.updateForge(forgeId, { kind, caFile, accountId, accountLogin: account.value.login })
  audit(parts, 'forge changed', { forge: name, token: token === null ? 'kept' : 'replaced', caFile })
  return ok(undefined)
}
