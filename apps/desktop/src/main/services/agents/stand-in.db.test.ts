import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AdapterId } from '@shared/model/words'
import type { SettingKey, SettingScope } from '@shared/model/settings'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettingReader } from '../settings/setting-values'
import type { LoginLook } from './agent-credentials'
import { standInFor } from './stand-in'

let opened: TestStore
let projectId: number
let organizationId: number
beforeEach(() => {
  opened = openTestStore()
  const { store } = opened
  const project = store.forges.getProject(store.mailboxes.get(seedMailbox(store)).projectId)
  projectId = project.id
  organizationId = project.organizationId
  install('claude-code')
  install('codex')
})
afterEach(() => opened.remove())

function install(adapter: AdapterId, version: string | null = '1.0.0'): void {
  opened.store.installations.put({
    adapter,
    runner: 'container',
    imageDigest: 'sha256:1',
    version,
    resumable: true,
    reason: null,
    loginState: 'found',
    detectedAt: 5,
  })
}

const set = (scope: SettingScope, scopeId: number, key: SettingKey, value: unknown): void =>
  opened.store.settings.set(scope, scopeId, key, value, 1)

const standIn = (logins: Partial<Record<AdapterId, LoginLook>> = {}) =>
  standInFor(
    {
      store: opened.store,
      adapters: adaptersNamed('claude-code', 'opencode', 'codex'),
      settings: createSettingReader(opened.store),
      credentials: { login: ({ id }) => Promise.resolve(logins[id] ?? 'found') },
      allowsDemonstration: false,
    },
    'claude-code',
  )

describe('who works in the place of an agent that is used up', () => {
  it('is another one that is installed, at the app where nothing is said anywhere', async () =>
    expect(await standIn()).toEqual({
      adapter: 'codex',
      places: [{ scope: 'app', scopeId: 0, key: 'AGENT_ADAPTER', before: null }],
    }))

  it('comes with every place that names the other one, and no others', async () => {
    set('organization', organizationId, 'AGENT_ADAPTER', 'claude-code')
    set('project', projectId, 'AGENT_ADAPTER_ANALYSIS', 'claude-code')
    set('project', projectId, 'AGENT_ADAPTER_ANSWER', 'codex')
    set('app', 0, 'AGENT_ADAPTER', 'claude-code')
    expect(await standIn()).toEqual({
      adapter: 'codex',
      places: [
        { scope: 'project', scopeId: projectId, key: 'AGENT_ADAPTER_ANALYSIS', before: 'claude-code' },
        { scope: 'organization', scopeId: organizationId, key: 'AGENT_ADAPTER', before: 'claude-code' },
      ],
    })
  })

  it('is nobody where no setting leads to the one that is used up', async () => {
    set('project', projectId, 'AGENT_ADAPTER', 'codex')
    expect(await standIn()).toBeNull()
  })

  it.each(['missing', 'expired', 'unknown'] as const)('is nobody whose login is %s', async (login) =>
    expect(await standIn({ codex: login })).toBeNull(),
  )

  it('is nobody who is not installed where runs are', async () => {
    install('codex', null)
    expect(await standIn()).toBeNull()
    install('opencode')
    expect(await standIn()).toMatchObject({ adapter: 'opencode' })
  })

  it.each(['AGENT_MODEL', 'AGENT_PROVIDER'] as const)(
    'is nobody where %s is meant for the other one',
    async (key) => {
      set('project', projectId, key, 'bedrock')
      expect(await standIn()).toBeNull()
    },
  )

  it('is nobody whose own account is used up', async () => {
    const { runs } = opened.store
    const run = seedRun(opened.store, seedMailbox(opened.store, 2), { adapter: 'codex' })
    runs.update(run.id, { error: JSON.stringify({ type: 'account_limit', message: 'x' }) })
    expect(await standIn()).toBeNull()
  })
})
