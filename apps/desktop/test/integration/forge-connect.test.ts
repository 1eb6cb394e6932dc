import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createForgejoConnector } from '@main/adapters/forge/forgejo/connect/forgejo-connector'
import { createSecrets, environmentName } from '@main/adapters/secrets/create-secrets'
import { createSecretsFile } from '@main/adapters/secrets/secrets-file'
import { createForgesService } from '@main/services/forges/forges-service'
import { createChangeFeed } from '@main/services/status/change-feed'
import {
  startForgeServer,
  type ForgeServer,
  type ForgeServerOptions,
} from '../fakes/forge-server/forge-server'
import { openTestStore, type TestStore } from '../fakes/open-test-store'
import { createSettableClock } from '../fakes/settable-clock'
import { openTlsFront, type TlsFront } from '../fakes/tls-front'

let opened: TestStore
let forge: ForgeServer
let folder: string
beforeEach(() => {
  opened = openTestStore()
  folder = mkdtempSync(join(tmpdir(), 'alfred-connect-'))
})
afterEach(async () => {
  opened.remove()
  rmSync(folder, { recursive: true, force: true })
  await forge.close()
})

async function start(options: ForgeServerOptions): Promise<void> {
  forge = await startForgeServer(options)
  for (const login of ['alfred-bot', 'dev', 'stranger']) forge.seed.user(login)
  forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
  await forge.seed.repository('acme/shop')
  await forge.seed.repository('acme/old', { isArchived: true })
  await forge.seed.repository('dev/solo', { collaborators: { 'alfred-bot': 'write' } })
  await forge.seed.repository('dev/readonly', { collaborators: { 'alfred-bot': 'read' } })
}

function service() {
  const clock = createSettableClock(Date.now())
  return createForgesService({
    store: opened.store,
    clock,
    connector: createForgejoConnector({ now: Date.now }),
    secrets: createSecrets({
      env: {},
      keyring: null,
      file: createSecretsFile(join(folder, 'secrets.json')),
      mayUseFile: () => true,
    }),
    changes: createChangeFeed(clock),
    environmentName,
    removeData: () => Promise.resolve(),
    onProjectsChanged: () => undefined,
    pollNow: () => undefined,
  })
}

const access = (token: string | null) => ({ url: `${forge.url}/api/v1/`, caFile: null, token })

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('connecting %s', (kind) => {
  it('goes from its address to labels that are all there', async () => {
    await start({ kind, subPath: '/git' })
    const forges = service()
    const found = await forges.identify(access(null))
    expect(found).toMatchObject({
      value: { kind: kind === 'forgejo' ? 'forgejo' : 'gitea', isEncrypted: false, isConnected: false },
    })
    const token = forge.seed.token('alfred-bot', [
      'read:user',
      'write:issue',
      'write:repository',
      'read:organization',
    ])
    const checked = await forges.checkToken(access(token))
    expect(checked).toMatchObject({ value: { account: { login: 'alfred-bot' } } })
    expect(checked.ok && checked.value.grants.every(({ state }) => state !== 'missing')).toBe(true)
    const listed = await forges.projects({ target: access(token), search: '', limit: 100 })
    expect(listed.ok && listed.value.projects.map(({ path }) => path)).toEqual(['acme/shop', 'dev/solo'])
    const added = await forges.add({ ...access(token), projects: ['acme/shop'], mayKeepInFile: true })
    if (!added.ok) throw new Error(added.error.message)
    const { forgeId } = added.value
    const made = await forges.makeLabels({ forgeId, path: 'acme/shop' })
    expect(made).toMatchObject({ value: { labels: { missing: [], twins: [], misspelt: [] } } })
    expect(await forges.makeLabels({ forgeId, path: 'acme/shop' })).toMatchObject({ value: { made: [] } })
  })

  it('says scope by scope what a weak token lacks, and changes nothing to find out', async () => {
    await start({ kind })
    const token = forge.seed.token('alfred-bot', ['read:user', 'read:issue', 'write:repository'])
    const checked = await service().checkToken(access(token))
    const states = checked.ok && checked.value.grants.map(({ scope, state }) => `${scope} ${state}`)
    expect(states).toEqual([
      'read:user works',
      'read:issue works',
      'write:issue missing',
      'read:repository works',
      'write:repository works',
      'all repositories works',
      'read:organization missing',
    ])
    const added = await service().add({ ...access(token), projects: [], mayKeepInFile: true })
    expect(added).toMatchObject({ error: { type: 'token_weak' } })
    expect(forge.requests.filter(({ method, status }) => method !== 'GET' && status < 400)).toEqual([])
  })
})

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('on %s', (kind) => {
  it('a public-only token is named as such, and connects public projects alone', async () => {
    await start({ kind })
    await forge.seed.repository('acme/open', { isPrivate: false })
    const token = forge.seed.token('alfred-bot', [
      'read:user',
      'write:issue',
      'write:repository',
      'public-only',
    ])
    const checked = await service().checkToken(access(token))
    expect(checked.ok && checked.value.grants.find(({ need }) => need === 'private_projects')).toMatchObject({
      state: 'missing',
    })
    const add = (path: string) => service().add({ ...access(token), projects: [path], mayKeepInFile: true })
    const refused = await add('acme/shop')
    expect(refused.ok ? null : refused.error.message).toContain(
      kind === 'gitea' ? 'does not show acme/shop to this account' : 'this is a public-only token',
    )
    expect(await add('acme/open')).toMatchObject({ ok: true })
  })

  it('labels of the organization are found, also as twins and in another case', async () => {
    await start({ kind })
    for (const name of ['ai::retry', 'status::done', 'Status::Blocked']) forge.seed.label('acme', name)
    forge.seed.label('acme/shop', 'ai::retry')
    const scopes = ['read:user', 'write:issue', 'write:repository']
    const reportOf = async (more: readonly string[], name: string) => {
      const token = forge.seed.token('alfred-bot', [...scopes, ...more], name)
      const forges = service()
      const [known] = await forges.list()
      const added = await (known === undefined
        ? forges.add({ ...access(token), projects: ['acme/shop'], mayKeepInFile: true })
        : forges.change({ forgeId: known.forgeId, token, caFile: null, mayKeepInFile: true }))
      if (!added.ok) throw new Error(added.error.message)
      return forges.labels({ forgeId: added.value.forgeId, path: 'acme/shop' })
    }
    const seen = await reportOf(['read:organization'], 'seeing')
    expect(seen).toMatchObject({
      value: {
        twins: [{ name: 'ai::retry', count: 2 }],
        misspelt: [{ name: 'Status::Blocked', meant: 'status::blocked' }],
      },
    })
    expect(seen.ok && seen.value.missing).not.toContain('status::done')
    expect(seen.ok && seen.value.missing).toContain('status::blocked')
    const unseen = await reportOf([], 'not seeing')
    expect(unseen).toMatchObject({ value: { twins: [], misspelt: [] } })
    expect(unseen.ok && unseen.value.missing).toContain('status::done')
  })

  it('labels of a project of a person are those of the project alone', async () => {
    await start({ kind })
    const token = forge.seed.token('alfred-bot')
    const added = await service().add({ ...access(token), projects: ['dev/solo'], mayKeepInFile: true })
    if (!added.ok) throw new Error(added.error.message)
    expect(await service().labels({ forgeId: added.value.forgeId, path: 'dev/solo' })).toMatchObject({
      ok: true,
    })
  })
})

describe('a forge with a certificate of an authority of its own', () => {
  let front: TlsFront
  afterEach(() => front.close())

  it('is connected with its CA file, which stays with it', async () => {
    await start({ kind: 'gitea' })
    const token = forge.seed.token('alfred-bot')
    front = await openTlsFront(fileURLToPath(new URL('../fixtures/forge-tls', import.meta.url)), forge.url)
    const { url, caFile } = front
    const forges = service()
    const untrusted = await forges.identify({ url, caFile: null, token })
    expect(untrusted).toMatchObject({ error: { type: 'certificate' } })
    expect(await forges.identify({ url, caFile, token })).toMatchObject({ value: { isEncrypted: true } })
    const added = await forges.add({ url, caFile, token, projects: ['acme/shop'], mayKeepInFile: true })
    if (!added.ok) throw new Error(added.error.message)
    expect(added.value.caFile).toBe(caFile)
    const labels = await forges.labels({ forgeId: added.value.forgeId, path: 'acme/shop' })
    expect(labels).toMatchObject({ ok: true })
  })
})

describe('a forge that has troubles', () => {
  it('is told in words: no such token, too many requests, down, a page instead of an answer', async () => {
    await start({ kind: 'gitea' })
    const token = forge.seed.token('alfred-bot')
    const forges = service()
    expect(await forges.checkToken(access('0'.repeat(40)))).toMatchObject({
      error: { type: 'token_refused' },
    })
    const meets = async (fault: Parameters<ForgeServer['faults']['add']>[0]['fault'], type: string) => {
      forge.faults.add({ fault, times: 1 })
      expect(await forges.identify(access(token))).toMatchObject({ ok: false, error: { type } })
    }
    await meets({ kind: 'html' }, 'unreachable')
    await meets({ kind: 'html', status: 200 }, 'not_a_forge')
    await meets({ kind: 'down' }, 'unreachable')
    await meets({ kind: 'too_many', retryAfterSeconds: 30 }, 'rate_limited')
    await meets({ kind: 'half' }, 'unreachable')
    expect(await forges.identify(access(token))).toMatchObject({ ok: true })
  })

  it('has a clock that is off, and a project that the account may not write', async () => {
    await start({ kind: 'forgejo', clock: () => Date.now() + 300_000 })
    const token = forge.seed.token('alfred-bot')
    const found = await service().identify(access(token))
    expect(found.ok && Math.round((found.value.clockDifferenceMs ?? 0) / 10_000)).toBe(30)
    const refused = async (path: string) => {
      const added = await service().add({ ...access(token), projects: [path], mayKeepInFile: true })
      return added.ok ? null : added.error.message
    }
    expect(await refused('acme/old')).toBe('acme/old is archived.')
    expect(await refused('dev/readonly')).toBe('dev/readonly may not be written by this account.')
    expect(await refused('dev/nothing')).toContain('does not show dev/nothing to this account.')
  })
})
