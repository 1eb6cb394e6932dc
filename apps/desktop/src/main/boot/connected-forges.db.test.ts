import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Forge as ForgeRecord, Project } from '@shared/model/records'
import { err, ok } from '@shared/result'
import type { ForgeConnector } from '../ports/forge-connector'
import type { Secrets } from '../ports/secrets'
import { type ForgeServer, startForgeServer } from '../../../test/fakes/forge-server/forge-server'
import { openTestStore, type TestStore } from '../../../test/fakes/open-test-store'
import { createSettableClock } from '../../../test/fakes/settable-clock'
import { createConnectedForges } from './connected-forges'

let opened: TestStore
let server: ForgeServer
let record: ForgeRecord
let project: Project
let token: string | null

beforeEach(async () => {
  opened = openTestStore()
  server = await startForgeServer({ kind: 'forgejo', subPath: '/git' })
  server.seed.user('alfred-bot')
  server.seed.organization('acme', { 'alfred-bot': 'write' })
  await server.seed.repository('acme/Shop.js')
  server.seed.issue('acme/Shop.js', { title: 'x', by: 'alfred-bot' })
  token = server.seed.token('alfred-bot')
  const { forges } = opened.store
  const account = { accountId: '1', accountLogin: 'alfred-bot' }
  record = forges.addForge(
    { kind: 'forgejo', name: 'forge', baseUrl: server.url, caFile: null, ...account },
    1,
  )
  const organization = forges.addOrganization(record.id, 'acme', 1)
  const place = { organizationId: organization.id, slug: 'shop-js', defaultBranch: 'main' }
  project = forges.addProject({ ...place, isDemo: false, isWatched: true }, 1)
})
afterEach(async () => {
  opened.remove()
  await server.close()
})

const forgeOf = (caPem: Awaited<ReturnType<ForgeConnector['readCertificates']>> = ok('unused')) =>
  createConnectedForges({
    store: opened.store,
    clock: createSettableClock(),
    secrets: { read: (name: string) => Promise.resolve(ok(name === 'forge' ? token : null)) } as Secrets,
    connector: { readCertificates: () => Promise.resolve(caPem) },
  })

it('asks the project where it lies, with the token of now', async () => {
  const forge = forgeOf()(record)
  expect(await forge?.listChangedIssues(project, null)).toMatchObject({ error: { type: 'not_found' } })
  opened.store.forges.setPlace(project.id, { path: 'acme/Shop.js', remoteId: '1' })
  expect(await forge?.listChangedIssues(project, null)).toMatchObject({ value: { issues: [{ iid: 1 }] } })
  token = null
  expect(await forge?.listChangedIssues(project, null)).toMatchObject({ error: { type: 'unauthorized' } })
  expect(await forge?.remote(project)).toMatchObject({
    value: { url: `${server.url}/acme/Shop.js.git`, credential: null },
  })
})

it('keeps one adapter until the record says something else', () => {
  const open = forgeOf()
  expect(open(record)).toBe(open({ ...record }))
  expect(open({ ...record, accountLogin: 'renamed' })).not.toBe(open(record))
  expect(open({ ...record, kind: 'gitlab' })).toBeNull()
})

it('says of certificates that cannot be read that they are it', async () => {
  const broken = err({ type: 'certificate' as const, message: 'ca.pem is no certificate' })
  const forge = forgeOf(broken)({ ...record, caFile: '/ca.pem' })
  expect(await forge?.account()).toMatchObject({
    error: {
      type: 'unauthorized',
      retryable: false,
      message: expect.stringContaining('ca.pem is no certificate'),
    },
  })
})
