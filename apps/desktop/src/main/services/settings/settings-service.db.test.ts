import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createChangeFeed } from '../status/change-feed'
import { createSettingsService } from './settings-service'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
  seedMailbox(opened.store)
})
afterEach(() => opened.remove())

function service(allowsDemonstration = false) {
  const clock = createSettableClock(100)
  return createSettingsService({
    store: opened.store,
    clock,
    changes: createChangeFeed(clock),
    adapters: adaptersNamed('demo'),
    allowsDemonstration,
    onChanged: () => undefined,
  })
}

/** A project of the person's own, beside the demo project in the same organization. */
function addRealProject() {
  const { forges } = opened.store
  const [demo] = forges.listProjects()
  const { organizationId } = demo!
  const place = { organizationId, slug: 'boat', defaultBranch: 'main', isDemo: false, isWatched: true }
  return { demo: demo!, real: forges.addProject(place, 1) }
}

describe('the demo agent as a setting', () => {
  const message = 'This version has the demo agent only, and it works in the demo project only.'

  it('is refused wherever a real project would take it, and says why', () => {
    const { demo, real } = addRealProject()
    const refused = { ok: false, error: { type: 'invalid_value', message } }
    expect(service().set('project', real.id, 'AGENT_ADAPTER', 'demo')).toEqual(refused)
    expect(service().set('project', real.id, 'AGENT_ADAPTER', 'fake')).toEqual(refused)
    expect(service().set('organization', real.organizationId, 'AGENT_ADAPTER', 'demo')).toEqual(refused)
    expect(service().set('app', 0, 'AGENT_ADAPTER', 'demo')).toEqual(refused)
    expect(service().set('project', demo.id, 'AGENT_ADAPTER', 'demo').ok).toBe(true)
    expect(opened.store.settings.list()).toHaveLength(1)
  })

  it('may stand where only the demo project takes it, and anywhere in tests', () => {
    expect(service().set('app', 0, 'AGENT_ADAPTER', 'demo').ok).toBe(true)
    const { real } = addRealProject()
    expect(service(true).set('project', real.id, 'AGENT_ADAPTER', 'demo').ok).toBe(true)
    expect(service().set('project', real.id, 'AGENT_ADAPTER', null).ok).toBe(true)
  })
})

describe('the host runner as a setting', () => {
  const runner = (scope: 'app' | 'organization' | 'project', scopeId: number) =>
    service()
      .list(scope, scopeId)
      .find(({ key }) => key === 'AGENT_RUNNER')
  const audited = () => opened.db.prepare('SELECT at, who, what, detail FROM audit ORDER BY id').raw().all()

  it('is refused for the whole app and for an organization, consent or not, with what to do', () => {
    const { real } = addRealProject()
    const refused = (whom: string) => ({
      ok: false,
      error: {
        type: 'wrong_scope',
        message: `AGENT_RUNNER can be host for a project only, where a person agreed to it, and never for ${whom}. Set it for each project that is meant.`,
      },
    })
    for (const hasConsent of [false, true]) {
      expect(service().set('app', 0, 'AGENT_RUNNER', 'host', hasConsent)).toEqual(refused('the whole app'))
      expect(service().set('organization', real.organizationId, 'AGENT_RUNNER', 'host', hasConsent)).toEqual(
        refused('an organization'),
      )
    }
    expect([opened.store.settings.list(), audited()]).toEqual([[], []])
    expect(service().set('app', 0, 'AGENT_RUNNER', 'container').ok).toBe(true)
  })

  it('is refused for a project without consent, and says what it means', () => {
    const { real } = addRealProject()
    expect(service().set('project', real.id, 'AGENT_RUNNER', 'host')).toEqual({
      ok: false,
      error: {
        type: 'consent_needed',
        message: expect.stringMatching(/without a container .* as your user: .* needs your consent/),
      },
    })
    expect([opened.store.settings.list(), audited()]).toEqual([[], []])
  })

  it('holds for the project that a person agreed to it for, which is written down, until it is taken back', () => {
    const { demo, real } = addRealProject()
    expect(service().set('project', real.id, 'AGENT_RUNNER', 'host', true).ok).toBe(true)
    expect(runner('project', real.id)).toMatchObject({ value: 'host', origin: 'project', problem: null })
    expect(runner('project', demo.id)).toMatchObject({ value: 'container', origin: 'default' })
    expect(audited()[0]).toEqual([
      100,
      'person',
      'host runner agreed to',
      JSON.stringify({ scope: 'project', scopeId: real.id, value: 'host' }),
    ])
    expect(service().set('project', real.id, 'AGENT_RUNNER', 'container').ok).toBe(true)
    expect(service().set('project', real.id, 'AGENT_RUNNER', 'host').ok).toBe(false)
    expect(runner('project', real.id)).toMatchObject({ value: 'container' })
  })

  it('does not count where it lies in the store for the app or an organization, and says why', () => {
    const { real } = addRealProject()
    opened.store.settings.set('app', 0, 'AGENT_RUNNER', 'host', 1)
    opened.store.settings.set('organization', real.organizationId, 'AGENT_RUNNER', 'host', 1)
    expect(runner('project', real.id)).toMatchObject({ value: 'container', origin: 'default' })
    for (const [scope, scopeId] of [
      ['app', 0],
      ['organization', real.organizationId],
    ] as const)
      expect(runner(scope, scopeId)).toMatchObject({
        value: 'container',
        origin: 'default',
        strip: { app: null, organization: null, project: null },
        problem: expect.stringContaining('for a project only'),
      })
  })
})

describe('login files that are mounted', () => {
  const mount = 'codex=/home/me/.codex/auth.json:/home/agent/.codex/auth.json'
  const other = 'claude-code=/h/claude:/home/agent/.claude.json'
  const mounts = (scope: 'app' | 'project' = 'app', scopeId = 0) =>
    service()
      .list(scope, scopeId)
      .find(({ key }) => key === 'AGENT_CREDENTIAL_MOUNTS')
  const set = (value: readonly string[], hasConsent = false) =>
    service().set('app', 0, 'AGENT_CREDENTIAL_MOUNTS', value, hasConsent)
  const audited = () =>
    opened.db
      .prepare("SELECT at, who, detail FROM audit WHERE what = 'credential mounts agreed to' ORDER BY id")
      .raw()
      .all()

  it('are stored in no scope without consent, which is told what can happen', () => {
    const { real } = addRealProject()
    for (const [scope, scopeId] of [
      ['app', 0],
      ['organization', real.organizationId],
      ['project', real.id],
    ] as const)
      expect(service().set(scope, scopeId, 'AGENT_CREDENTIAL_MOUNTS', [mount])).toEqual({
        ok: false,
        error: {
          type: 'consent_needed',
          message: expect.stringMatching(
            /read-only; .* a refresh inside a run can sign you out on this computer/,
          ),
        },
      })
    expect([opened.store.settings.list(), audited()]).toEqual([[], []])
  })

  it('count from then on, and it is written down who agreed to which', () => {
    expect(set([mount], true).ok).toBe(true)
    expect(mounts()).toMatchObject({ value: [mount], origin: 'app', problem: null, unagreed: null })
    const detail = JSON.stringify({ scope: 'app', scopeId: 0, value: [mount] })
    expect(audited()).toEqual([[100, 'person', detail]])
  })

  it('are asked about again for one more, and not for one less', () => {
    set([mount], true)
    expect(set([mount, other]).ok).toBe(false)
    expect(mounts()).toMatchObject({ value: [mount] })
    expect(set([other]).ok).toBe(false)
    expect(set([mount, other], true).ok).toBe(true)
    expect(set([other]).ok).toBe(true)
    expect(mounts()).toMatchObject({ value: [other], problem: null })
    expect(audited()).toHaveLength(2)
    expect(set([]).ok).toBe(true)
    expect(set([other]).ok).toBe(false)
  })

  it('do not count as an older app stored them, wait to be agreed to, and count once they are', () => {
    const { real } = addRealProject()
    opened.store.settings.set('app', 0, 'AGENT_CREDENTIAL_MOUNTS', [mount], 1)
    expect(mounts()).toMatchObject({
      value: [],
      origin: 'default',
      strip: { app: null },
      problem: `nobody has agreed to ["${mount}"] yet, so it does not count.`,
      unagreed: { value: [mount] },
    })
    expect(mounts('project', real.id)).toMatchObject({ value: [], problem: null, unagreed: null })
    expect(set([mount]).ok).toBe(false)
    expect(set([mount], true).ok).toBe(true)
    expect(mounts('project', real.id)).toMatchObject({ value: [mount], origin: 'app' })
  })
})
