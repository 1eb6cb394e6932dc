import type { ForgeProblem } from '@shared/contract/forges'
import type { ForgeId } from '@shared/model/ids'
import type { Forge } from '@shared/model/records'
import { ok, type Result } from '@shared/result'
import type { ForgeAccess, ForgeAddress } from '../../ports/forge-connector'
import { problem, type ForgeAnswer, type ForgeParts } from './forge-parts'

/** A forge that is connected, or one that a person is about to connect. */
export type ForgeTarget =
  | { readonly forgeId: ForgeId }
  | { readonly url: string; readonly caFile: string | null; readonly token: string | null }

export interface FoundAccess {
  readonly address: ForgeAddress
  readonly access: ForgeAccess
  readonly caFile: string | null
  /** null: not connected, or not under this address. */
  readonly forge: Forge | null
}

type Parts = Pick<ForgeParts, 'store' | 'secrets' | 'connector' | 'environmentName'>

/** Where a forge is and what it is asked with; the token is the one given, else the one that is kept. */
export async function findAccess(parts: Parts, target: ForgeTarget): ForgeAnswer<FoundAccess> {
  const { store, secrets, connector } = parts
  const asked = 'forgeId' in target ? askedOf(findForge(parts, target.forgeId)) : ok(target)
  if (!asked.ok) return asked
  const { url, caFile, token } = asked.value
  const address = connector.readAddress(url)
  if (!address.ok) return address
  const caPem = caFile === null ? ok(null) : await connector.readCertificates(caFile)
  if (!caPem.ok) return caPem
  const kept = token === null ? await secrets.read(address.value.name) : ok(token)
  if (!kept.ok) return problem('token_missing', `The token cannot be read: ${kept.error.message}.`)
  return ok({
    address: address.value,
    access: { baseUrl: address.value.baseUrl, caPem: caPem.value, token: kept.value },
    caFile,
    forge: store.forges.listForges().find(({ name }) => name === address.value.name) ?? null,
  })
}

const askedOf = (forge: Result<Forge, ForgeProblem>) =>
  forge.ok ? ok({ url: forge.value.baseUrl, caFile: forge.value.caFile, token: null }) : forge

/** The same, with a token in any case. */
export async function findAccessWithToken(parts: Parts, target: ForgeTarget): ForgeAnswer<FoundAccess> {
  const found = await findAccess(parts, target)
  if (!found.ok || found.value.access.token !== null) return found
  const { name } = found.value.address
  return problem(
    'token_missing',
    `There is no token for ${name}. It can also stand in ${parts.environmentName(name)}, in the environment that starts Alfred.`,
  )
}

/** Of the forges that people connect; the local one is none of them. */
export function findForge(
  { store }: Pick<ForgeParts, 'store'>,
  forgeId: ForgeId,
): Result<Forge & { readonly kind: 'gitea' | 'forgejo' }, ForgeProblem> {
  const forge = connectedForges(store).find(({ id }) => id === forgeId)
  return forge === undefined ? problem('not_a_forge', 'This forge is not connected any more.') : ok(forge)
}

export const connectedForges = (
  store: ForgeParts['store'],
): readonly (Forge & { readonly kind: 'gitea' | 'forgejo' })[] =>
  store.forges
    .listForges()
    .flatMap((forge) =>
      forge.kind === 'gitea' || forge.kind === 'forgejo' ? [{ ...forge, kind: forge.kind }] : [],
    )
