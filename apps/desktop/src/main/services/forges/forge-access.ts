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
  if ('forgeId' in target) {
    const forge = findForge(parts, target.forgeId)
    if (!forge.ok) return forge
    return accessTo(parts, { url: forge.value.baseUrl, caFile: forge.value.caFile, token: null })
  }
  if (target.caFile !== null) return accessTo(parts, target)
  const address = parts.connector.readAddress(target.url)
  const known = address.ok ? findByName(parts, address.value.name) : null
  return accessTo(parts, { ...target, caFile: known?.caFile ?? null })
}

/** With exactly this CA file, or none. */
export async function accessTo(
  parts: Parts,
  { url, caFile, token }: Exclude<ForgeTarget, { readonly forgeId: ForgeId }>,
): ForgeAnswer<FoundAccess> {
  const { secrets, connector } = parts
  const address = connector.readAddress(url)
  if (!address.ok) return address
  const caPem = caFile === null ? ok(null) : await connector.readCertificates(caFile)
  if (!caPem.ok) return caPem
  const forge = findByName(parts, address.value.name)
  // What was given for https is not shown over http, though the host is the same.
  const isElsewhere = forge !== null && forge.baseUrl !== address.value.baseUrl
  const kept = token !== null || isElsewhere ? ok(token) : await secrets.read(address.value.name)
  if (!kept.ok) return problem('token_missing', `The token cannot be read: ${kept.error.message}.`)
  return ok({
    address: address.value,
    access: { baseUrl: address.value.baseUrl, caPem: caPem.value, token: kept.value },
    caFile,
    forge,
  })
}

const findByName = ({ store }: Pick<Parts, 'store'>, wanted: string): Forge | null =>
  store.forges.listForges().find(({ name }) => name === wanted) ?? null

/** The same, with a token in any case. */
export async function findAccessWithToken(parts: Parts, target: ForgeTarget): ForgeAnswer<FoundAccess> {
  return withToken(parts, await findAccess(parts, target))
}

export function withToken(
  { environmentName }: Pick<Parts, 'environmentName'>,
  found: Awaited<ForgeAnswer<FoundAccess>>,
): Awaited<ForgeAnswer<FoundAccess>> {
  if (!found.ok || found.value.access.token !== null) return found
  const { name } = found.value.address
  return problem(
    'token_missing',
    `There is no token for ${name}. It can also stand in ${environmentName(name)}, in the environment that starts Alfred.`,
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
