import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectable, createFakeForgeConnector } from '../../../../test/fakes/fake-forge-connector'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createSecrets, environmentName } from '@main/adapters/secrets/create-secrets'
import { createSecretsFile } from '@main/adapters/secrets/secrets-file'
import type { ForgeProblem } from '@shared/contract/forges'
import { err } from '@shared/result'
import { alfredLabels } from '../../core/forge/labels'
import { createChangeFeed } from '../status/change-feed'
import { createForgesService } from './forges-service'

let opened: TestStore
let env: Record<string, string>
let connector: ReturnType<typeof createFakeForgeConnector>
let removed: string[]

beforeEach(() => {
  opened = openTestStore()
  env = {}
  removed = []
  connector = createFakeForgeConnector()
  connector.projects.push(connectable('acme/shop'), connectable('acme/till', { isPrivate: true }))
})
afterEach(() => opened.remove())

function service() {
  const clock = createSettableClock(100)
  return createForgesService({
    store: opened.store,
    clock,
    connector,
    secrets: createSecrets({
      env,
      keyring: null,
      file: createSecretsFile(join(opened.folder, 'secrets.json')),
      mayUseFile: () => true,
    }),
    changes: createChangeFeed(clock),
    environmentName,
    removeData: (project) => {
      removed.push(project.slug)
      return Promise.resolve()
    },
    onProjectsChanged: () => undefined,
    pollNow: () => undefined,
  })
}

const wanted = {
  url: 'https://git.example.org/forge',
  caFile: null,
  token: 'good' as string | null,
  projects: ['acme/shop'],
  mayKeepInFile: true,
}

async function connect(more: Partial<typeof wanted> = {}) {
  const added = await service().add({ ...wanted, ...more })
  if (!added.ok) throw new Error(added.error.message)
  return added.value
}

describe('connecting a forge', () => {
  it('stores who Alfred is there, its projects, and the token apart from them', async () => {
    const forge = await connect()
    expect(forge).toMatchObject({
      kind: 'gitea',
      name: 'git.example.org/forge',
      baseUrl: 'https://git.example.org/forge',
      accountLogin: 'bot-2',
      environmentName: 'ALFRED_TOKEN_GIT_EXAMPLE_ORG_FORGE',
      hasToken: true,
      projects: [{ path: 'acme/shop', isWatched: true }],
    })
    expect(JSON.stringify(forge)).not.toContain('good')
    const rows = opened.db
      .prepare('SELECT * FROM forges')
      .all()
      .concat(opened.db.prepare('SELECT * FROM audit').all())
    expect(JSON.stringify(rows)).not.toContain('good')
    expect(await service().list()).toEqual([forge])
  })

  it('stores nothing when anything is not right, and says what', async () => {
    connector.tokens.set('weak', { id: '2', lacks: ['write_issues', 'write_code'] })
    connector.projects.push(connectable('acme/old', { mayWrite: false, unfitBecause: 'is archived' }))
    const refusals = [
      [{ url: 'not an address' }, 'address', 'not an address is not an address.'],
      [{ token: 'bad' }, 'token_refused', 'It does not accept this token.'],
      [{ token: null }, 'token_missing', 'ALFRED_TOKEN_GIT_EXAMPLE_ORG_FORGE'],
      [{ token: 'weak' }, 'token_weak', 'write:issue, to comment'],
      [{ projects: ['acme/shop', 'acme/old'] }, 'project_unfit', 'acme/old is archived.'],
      [{ projects: ['shop'] }, 'project_unfit', 'write OWNER/NAME'],
    ] as const
    for (const [more, type, words] of refusals) {
      const refused = await service().add({
        ...wanted,
        ...more,
        projects: [...(('projects' in more && more.projects) || wanted.projects)],
      })
      expect(refused).toMatchObject({ ok: false, error: { type } })
      expect(JSON.stringify(refused)).toContain(words)
    }
    expect(opened.store.forges.listForges()).toEqual([])
  })

  it('is done once for each address', async () => {
    await connect()
    // The token that was given for https stays where it is.
    const plain = { ...wanted, url: 'http://git.example.org/forge', token: null }
    expect(await service().checkToken(plain)).toMatchObject({ error: { type: 'token_missing' } })
    expect(await service().add(wanted)).toMatchObject({ error: { type: 'connected_already' } })
    expect(await service().identify({ ...wanted })).toMatchObject({ value: { isConnected: true } })
  })

  it('leaves a token of the environment there, and refuses one that it would hide', async () => {
    env['ALFRED_TOKEN_GIT_EXAMPLE_ORG_FORGE'] = 'good'
    expect(await connect({ token: null })).toMatchObject({ hasToken: true })
    connector.tokens.set('other', { id: '2' })
    const [forge] = await service().list()
    const replaced = await service().change({
      forgeId: forge!.forgeId,
      token: 'other',
      caFile: null,
      mayKeepInFile: true,
    })
    expect(replaced).toMatchObject({ ok: false, error: { type: 'no_safe_place' } })
  })

  it('keeps owners apart whose folders would have one name, and finds renamed projects again', async () => {
    connector.projects.push(connectable('Acme.Corp/shop'), connectable('acme-corp/shop'))
    const { forgeId } = await connect({ projects: ['Acme.Corp/shop', 'acme-corp/shop', 'acme/shop'] })
    const slugs = opened.store.forges
      .listProjects()
      .map((project) => [opened.store.forges.getOrganization(project.organizationId).slug, project.slug])
    expect(slugs).toEqual([
      ['acme', 'shop'],
      ['acme-corp', 'shop'],
      ['acme-corp-2', 'shop'],
    ])
    connector.projects.push(connectable('acme/store', { remoteId: 'id of acme/shop' }))
    expect(await service().watch({ forgeId, path: 'acme/store' })).toMatchObject({
      value: { projects: [{ path: 'acme/store' }, {}, {}] },
    })
  })
})

describe('a project of a restored database', () => {
  it('is found again by its slugs, since what it is called on the forge is not in the record of a run', async () => {
    connector.projects.push(connectable('Acme.Corp/Shop_2'))
    const { forgeId, projects } = await connect({ projects: ['Acme.Corp/Shop_2'] })
    opened.db.prepare('DELETE FROM forge_projects').run()
    expect((await service().list())[0]?.projects).toMatchObject([{ path: 'acme-corp/shop-2' }])
    expect(await service().watch({ forgeId, path: 'Acme.Corp/Shop_2' })).toMatchObject({
      value: { projects: [{ ...projects[0], path: 'Acme.Corp/Shop_2' }] },
    })
  })
})

describe('a connected forge', () => {
  it('offers the projects that may be written, by name, and says which are watched', async () => {
    connector.projects.push(connectable('acme/old', { mayWrite: false }), connectable('dev/solo'))
    const { forgeId } = await connect()
    const listed = await service().projects({ target: { forgeId }, search: 'ACME', limit: 1 })
    expect(listed).toMatchObject({
      value: { projects: [{ path: 'acme/shop', isWatched: true }], total: 2, isWhole: true },
    })
  })

  it('has its watched projects looked up by their ids, so that one that was renamed is found', async () => {
    const { forgeId } = await connect({ projects: ['acme/shop', 'acme/till'] })
    connector.projects.length = 0
    const shop = { remoteId: 'id of acme/shop', mayWrite: false, unfitBecause: 'is archived' }
    connector.projects.push(connectable('acme/store', shop))
    expect(await service().examineProjects(forgeId)).toEqual({
      ok: true,
      value: [
        { path: 'acme/shop', unfitBecause: 'is archived', isThere: true },
        { path: 'acme/till', unfitBecause: 'is gone, or hidden from this account', isThere: false },
      ],
    })
  })

  it('names a project that the forge fails at, and looks at the others all the same', async () => {
    const { forgeId } = await connect({ projects: ['acme/shop', 'acme/till'] })
    connector.projects.length = 0
    connector.projects.push(connectable('acme/till', { mayWrite: false, unfitBecause: 'is archived' }))
    const find = connector.findProject.bind(connector)
    let asked: string[] = []
    const failing = (type: ForgeProblem['type']) => {
      asked = []
      connector.findProject = (access, remoteId) => {
        asked.push(remoteId)
        if (remoteId !== 'id of acme/shop') return find(access, remoteId)
        return Promise.resolve(err({ type, message: 'The forge is not available now (500).' }))
      }
    }
    failing('unreachable')
    expect(await service().examineProjects(forgeId)).toEqual({
      ok: true,
      value: [
        {
          path: 'acme/shop',
          unfitBecause: 'cannot be looked at: The forge is not available now (500)',
          isThere: true,
        },
        { path: 'acme/till', unfitBecause: 'is archived', isThere: true },
      ],
    })
    // What every project would be answered is told once, and asked once.
    failing('rate_limited')
    expect(await service().examineProjects(forgeId)).toMatchObject({ error: { type: 'rate_limited' } })
    expect(asked).toEqual(['id of acme/shop'])
    failing('unreachable')
    connector.identify = () => Promise.resolve(err({ type: 'unreachable', message: 'Nothing answers.' }))
    expect(await service().examineProjects(forgeId)).toMatchObject({ error: { message: 'Nothing answers.' } })
    expect(asked).toEqual(['id of acme/shop'])
  })

  it('takes another token of the same account only', async () => {
    const { forgeId } = await connect()
    connector.tokens.set('new', { id: '2' }).set('somebody', { id: '3' })
    const replace = (token: string) => service().change({ forgeId, token, caFile: null, mayKeepInFile: true })
    expect(await replace('somebody')).toMatchObject({ error: { type: 'other_account' } })
    expect(await replace('bad')).toMatchObject({ error: { type: 'token_refused' } })
    expect(await replace('new')).toMatchObject({ ok: true })
    connector.tokens.delete('good')
    expect(await service().checkToken({ forgeId })).toMatchObject({ value: { account: { login: 'bot-2' } } })
    connector.identity = { ...connector.identity, kind: 'forgejo' }
    const change = { forgeId, token: null, caFile: '/ca.pem', mayKeepInFile: false }
    expect(await service().change(change)).toMatchObject({ value: { kind: 'forgejo', caFile: '/ca.pem' } })
    // Who asks for the same address without naming a file means the one that is known.
    const identify = vi.spyOn(connector, 'identify')
    await service().identify({ ...wanted, caFile: null })
    expect(identify).toHaveBeenLastCalledWith(expect.objectContaining({ caPem: 'certificates of /ca.pem' }))
    await service().change({ ...change, caFile: null })
    expect(identify).toHaveBeenLastCalledWith(expect.objectContaining({ caPem: null }))
  })

  it('gets the labels that are missing, and no other', async () => {
    const { forgeId } = await connect()
    connector.labels.set('acme/shop', ['ai::retry', 'ai::retry', 'Status::Done', 'mine'])
    const made = await service().makeLabels({ forgeId, path: 'acme/shop' })
    expect(made).toMatchObject({
      value: {
        labels: {
          missing: [],
          twins: [{ name: 'ai::retry', count: 2 }],
          misspelt: [{ name: 'Status::Done', meant: 'status::done' }],
        },
      },
    })
    expect(connector.labels.get('acme/shop')).toHaveLength(4 + alfredLabels.length - 1)
    expect(await service().makeLabels({ forgeId, path: 'acme/shop' })).toMatchObject({ value: { made: [] } })
  })

  it('is left alone while a run of it is live, and leaves nothing behind when it goes', async () => {
    const { forgeId } = await connect()
    const [project] = opened.store.forges.listProjects()
    const mailbox = { projectId: project!.id, kind: 'issue', iid: 1, title: 'Crates' } as const
    const run = seedRun(opened.store, opened.store.mailboxes.ensure(mailbox, 1).id)
    opened.store.settings.set('organization', project!.organizationId, 'MAX_LLM_RETRIES', 5, 1)
    expect(await service().remove({ forgeId })).toMatchObject({ error: { type: 'run_live' } })
    opened.store.runs.update(run.id, { state: 'ended', outcome: 'stopped', endedAt: 5 })
    expect(await service().remove({ forgeId })).toMatchObject({ ok: true })
    expect(removed).toEqual(['shop'])
    expect(await service().list()).toEqual([])
    expect(opened.store.settings.list()).toEqual([])
    // The token went too.
    expect(await service().checkToken({ ...wanted, token: null })).toMatchObject({
      error: { type: 'token_missing' },
    })
  })

  it('is never the local one', async () => {
    seedMailbox(opened.store)
    const [local] = opened.store.forges.listForges()
    const [project] = opened.store.forges.listProjects()
    expect(await service().list()).toEqual([])
    expect(await service().remove({ forgeId: local!.id })).toMatchObject({ ok: false })
    expect(await service().unwatch({ projectId: project!.id })).toMatchObject({ ok: false })
  })
})
