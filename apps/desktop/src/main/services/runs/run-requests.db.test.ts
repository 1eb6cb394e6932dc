import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, ResumeChoice } from '@shared/model/ids'
import { createSystemRandomness } from '../../adapters/system/system-randomness'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { createRunRequests } from './run-requests'

let opened: TestStore
let mailboxId: MailboxId
beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
  opened.store.settings.set('app', 0, 'AGENT_ADAPTER', 'demo', 1)
})
afterEach(() => opened.remove())

function request(resumeChoice: ResumeChoice = 'auto', to: MailboxId = mailboxId) {
  const clock = createSettableClock(100)
  const { store } = opened
  const requests = createRunRequests({
    store,
    clock,
    randomness: createSystemRandomness(),
    settings: createSettingReader(store),
    changes: createChangeFeed(clock),
    scheduler: { kick: () => undefined, stopRun: () => undefined },
    allowsDemonstration: false,
  })
  return requests.requestRun({
    mailboxId: to,
    phase: 'development',
    trigger: 'person',
    requestedBy: 'ada',
    resumeChoice,
  })
}

describe('the request of a run', () => {
  it('stores a queued run as the settings want it', () => {
    opened.store.settings.set('app', 0, 'AGENT_MODEL', 'large', 1)
    expect(request()).toMatchObject({
      ok: true,
      value: {
        state: 'queued',
        adapter: 'demo',
        model: 'large',
        runner: 'container',
        requestedBy: 'ada',
        createdAt: 100,
      },
    })
  })

  it('gives one run per mailbox', () => {
    const first = request()
    expect(request()).toMatchObject({
      error: { type: 'already_running', runId: first.ok ? first.value.id : 0 },
    })
    expect(request('auto', seedMailbox(opened.store, 2)).ok).toBe(true)
  })

  it('takes the adapter of a chosen session, also where none is configured', () => {
    opened.store.settings.set('app', 0, 'AGENT_ADAPTER', null, 1)
    const session = seedEndedRun(opened.store, mailboxId, { adapter: 'codex', nativeSessionId: 'x' })
    expect(request()).toMatchObject({ error: { type: 'no_agent' } })
    expect(request(`session:${session.id}`)).toMatchObject({
      ok: true,
      value: { adapter: 'codex', resumeChoice: `session:${session.id}` },
    })
  })

  it("refuses another issue's session and one whose memory was removed", () => {
    const foreign = seedEndedRun(opened.store, seedMailbox(opened.store, 2), { nativeSessionId: 'x' })
    expect(request(`session:${foreign.id}`)).toMatchObject({ error: { type: 'session_not_found' } })
    const own = seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'y' })
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 50 }, 50)
    expect(request(`session:${own.id}`)).toMatchObject({ error: { type: 'memory_removed', at: 50 } })
  })
})
