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
