import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, ResumeChoice } from '@shared/model/ids'
import { createSystemRandomness } from '../../adapters/system/system-randomness'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
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
  return createRequests().requestRun({
    mailboxId: to,
    phase: 'development',
    trigger: 'person',
    requestedBy: 'ada',
    resumeChoice,
  })
}

function createRequests() {
  const clock = createSettableClock(100)
  const { store } = opened
  return createRunRequests({
    store,
    clock,
    randomness: createSystemRandomness(),
    settings: createSettingReader(store),
    adapters: adaptersNamed('demo', 'codex'),
    changes: createChangeFeed(clock),
    scheduler: { kick: () => undefined, stopRun: () => undefined },
    allowsDemonstration: false,
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

  it('has agent, provider and model of its phase, where they are set for it', () => {
    const { settings } = opened.store
    settings.set('app', 0, 'AGENT_MODEL', 'small', 1)
    settings.set('app', 0, 'AGENT_ADAPTER_DEVELOPMENT', 'codex', 1)
    settings.set('app', 0, 'AGENT_MODEL_DEVELOPMENT', 'large', 1)
    settings.set('app', 0, 'AGENT_PROVIDER_DEVELOPMENT', 'openai', 1)
    settings.set('app', 0, 'AGENT_MODEL_ANSWER', 'tiny', 1)
    expect(request()).toMatchObject({ value: { adapter: 'codex', provider: 'openai', model: 'large' } })
    const other = createRequests().requestRun({
      mailboxId: seedMailbox(opened.store, 2),
      phase: 'analysis',
      trigger: 'person',
      requestedBy: 'ada',
      resumeChoice: 'auto',
    })
    expect(other).toMatchObject({ value: { adapter: 'demo', provider: null, model: 'small' } })
  })

  it('asks for an agent of the phase that it is for', () => {
    opened.store.settings.set('app', 0, 'AGENT_ADAPTER_ANSWER', 'claude-code', 1)
    expect(createRequests().whyNoAgent(mailboxId, 'analysis')).toBeNull()
    expect(createRequests().whyNoAgent(mailboxId, 'answer')).toMatchObject({ type: 'no_agent' })
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

  it('is refused for an adapter that this version does not have, and queues nothing', () => {
    opened.store.settings.set('app', 0, 'AGENT_ADAPTER', 'claude-code', 1)
    const refused = { type: 'no_agent', message: 'claude-code is not part of this version.' }
    expect(request()).toEqual({ ok: false, error: refused })
    expect(createRequests().whyNoAgent(mailboxId, 'development')).toEqual(refused)
    const session = seedEndedRun(opened.store, mailboxId, { adapter: 'opencode', nativeSessionId: 'x' })
    expect(request(`session:${session.id}`)).toMatchObject({
      error: { type: 'no_agent', message: 'opencode is not part of this version.' },
    })
    expect(opened.store.runs.listLive()).toEqual([])
  })

  it.each(['dropped', 'waiting', 'sending'] as const)(
    'waits while commits of a chat are not on the forge, their push being %s',
    (state) => {
      const { store } = opened
      const turn = seedRun(store, mailboxId, { phase: 'chat' })
      store.runs.update(turn.id, { state: 'ended', outcome: 'succeeded' })
      const push = { kind: 'push', mailboxId, runId: turn.id, target: 'branch', payload: {}, at: 1 } as const
      store.outbox.add({ key: 'held', ...push })
      store.outbox.update(1, { state: 'dropped' })
      store.outbox.add({ key: 'agreed', ...push })
      store.outbox.update(2, { state })
      expect(request()).toMatchObject({ error: { type: 'push_waits' } })
      store.outbox.update(2, { state: 'sent' })
      expect(request()).toMatchObject({ ok: true })
    },
  )

  it("refuses another issue's session and one whose memory was removed", () => {
    const foreign = seedEndedRun(opened.store, seedMailbox(opened.store, 2), { nativeSessionId: 'x' })
    expect(request(`session:${foreign.id}`)).toMatchObject({ error: { type: 'session_not_found' } })
    const own = seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'y' })
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 50 }, 50)
    expect(request(`session:${own.id}`)).toMatchObject({ error: { type: 'memory_removed', at: 50 } })
  })
})
