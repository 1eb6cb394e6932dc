import type { ForgeId } from '@shared/model/ids'
import type { Forge as ForgeRecord } from '@shared/model/records'
import { ok } from '@shared/result'
import { createForgejoForge } from '../adapters/forge/forgejo/forgejo-forge'
import type { Forge } from '../ports/forge'
import type { ForgeConnector } from '../ports/forge-connector'
import type { OwnedData } from './open-data'

/*
 * The forges that people connected. Each has one adapter for as long as its record says the same; its token and its
 * certificates are read with every request, so that new ones count at once.
 */

type Parts = Pick<OwnedData, 'store' | 'secrets' | 'clock'> & {
  readonly connector: Pick<ForgeConnector, 'readCertificates'>
}

/** null: there is no adapter for this kind of forge yet. */
export function createConnectedForges(parts: Parts): (record: ForgeRecord) => Forge | null {
  const opened = new Map<ForgeId, { readonly record: string; readonly forge: Forge }>()
  return (record) => {
    if (record.kind !== 'gitea' && record.kind !== 'forgejo') return null
    const written = JSON.stringify(record)
    const known = opened.get(record.id)
    if (known?.record === written) return known.forge
    const forge = openForgejo(parts, record)
    opened.set(record.id, { record: written, forge })
    return forge
  }
}

const openForgejo = ({ store, secrets, clock, connector }: Parts, record: ForgeRecord): Forge =>
  createForgejoForge({
    baseUrl: record.baseUrl,
    caFile: record.caFile,
    account: { id: record.accountId, login: record.accountLogin },
    clock,
    isActive: (project) => store.mailboxes.listOpen(project.id).length > 0,
    placeOf: (project) => store.forges.placeOf(project.id),
    moved: (project, path) => {
      const place = store.forges.placeOf(project.id)
      if (place !== null) store.forges.setPlace(project.id, { ...place, path })
    },
    access: async () => {
      const token = await secrets.read(record.name)
      if (!token.ok) return token
      const caPem = record.caFile === null ? ok(null) : await connector.readCertificates(record.caFile)
      return caPem.ok ? ok({ token: token.value, caPem: caPem.value }) : caPem
    },
  })
