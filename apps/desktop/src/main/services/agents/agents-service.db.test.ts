import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAgentAdapters } from '@main/adapters/agents/agent-adapters'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import type { Installation } from '../../ports/stores'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { credentialMountsOf, credentialOverlap } from '../../core/sandbox/credential-mounts'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import type { CredentialScope } from './agent-credentials'
import { createAgentsService } from './agents-service'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

const installed: Installation = {
  adapter: 'claude-code',
  runner: 'container',
  imageDigest: 'sha256:1',
  version: '2.1.332',
  resumable: true,
  reason: null,
  loginState: 'unknown',
  detectedAt: 5,
}

function bench() {
  const { store } = opened
  const asked: CredentialScope[] = []
  const notAsked = () => Promise.reject(new Error('nobody asks for this here'))
  const service = createAgentsService({
    store,
    adapters: createAgentAdapters([createClaudeCodeAdapter()]),
    changes: createChangeFeed(createSettableClock(0)),
    runtime: createFakeContainerRuntime(),
    host: { runOnce: notAsked },
    usesHost: () => false,
    builder: { find: notAsked, ensure: notAsked },
    detection: { detect: notAsked, known: notAsked },
    base: () => null,
    onStatus: () => undefined,
    credentials: {
      login: async (_adapter, scope) => {
        asked.push(scope)
        return 'expired'
      },
      overlap: async ({ id, sessionStatePath }, settings) =>
        credentialOverlap(sessionStatePath, credentialMountsOf(settings.AGENT_CREDENTIAL_MOUNTS, id)),
    },
    probe: { ask: notAsked },
    settings: () => createSettingReader(store).app(),
  })
  return { store, service, asked }
}

describe('the installations of the agents screen', () => {
  it('tell the login as it is now, for the provider of the app', async () => {
    const { store, service, asked } = bench()
    store.installations.put(installed)
    store.settings.set('app', 0, 'AGENT_PROVIDER', 'bedrock', 1)
    expect(await service.list()).toMatchObject([
      {
        adapter: 'claude-code',
        version: '2.1.332',
        resumable: true,
        verifiedRange: '2.1.90 to 2.1.332',
        loginState: 'expired',
      },
    ])
    expect(asked).toMatchObject([{ provider: 'bedrock', runner: 'container' }])
  })

  it('tell no login of a CLI that is not there', async () => {
    const { store, service, asked } = bench()
    store.installations.put({ ...installed, version: null, resumable: false })
    expect(await service.list()).toMatchObject([{ version: null, loginState: 'unknown' }])
    expect(asked).toEqual([])
  })

  it('say before a run that a credential mount turns the resume off', async () => {
    const { store, service } = bench()
    store.installations.put(installed)
    store.settings.set('app', 0, 'AGENT_CREDENTIAL_MOUNTS', ['claude-code=/h/c:/home/agent/.claude'], 1)
    expect(await service.list()).toMatchObject([
      {
        resumable: false,
        reason:
          'The credential mount at /home/agent/.claude overlaps the session state, so every run starts fresh.',
      },
    ])
  })
})
