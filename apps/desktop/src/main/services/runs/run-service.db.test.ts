import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, RunId } from '@shared/model/ids'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock, type SettableClock } from '../../../../test/fakes/settable-clock'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import type { RunRequests } from '../workflow/ports-of-workflow'
import { createRunEventFeed } from './run-event-feed'
import { createRunRequests } from './run-requests'
import { createRunService, type RunService } from './run-service'
import { startSuccessor } from './start-successor'

let opened: TestStore
let clock: SettableClock
let mailboxId: MailboxId
let stopped: RunId[]
let runs: RunService
let requests: RunRequests

beforeEach(() => {
  opened = openTestStore()
  clock = createSettableClock(1_000)
  mailboxId = seedMailbox(opened.store)
  stopped = []
  const { store } = opened
  store.settings.set('app', 0, 'AGENT_ADAPTER', 'demo', 1)
  requests = createRunRequests({
    store,
    clock,
    randomness: createSystemRandomness(),
    settings: createSettingReader(store),
    adapters: adaptersNamed('demo'),
    changes: createChangeFeed(clock),
    scheduler: { kick: () => undefined, stopRun: (runId) => void stopped.push(runId) },
    allowsDemonstration: true,
  })
  runs = createRunService({ store, requests, clock, personLogin: 'ada' })
})
afterEach(() => opened.remove())

const endedRun = (): RunId => seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'x' }).runId
function owner() {
  const run = seedRun(opened.store, mailboxId)
  opened.store.locks.take(mailboxId, run.id, 700)
  return run
}
/** As the step does that ends a run. */
function end(runId: RunId): void {
  const { store } = opened
  store.transaction(() => {
    store.runs.update(runId, { state: 'ended', outcome: 'stopped' })
    store.locks.release(mailboxId, runId)
    startSuccessor({ store, clock, requests, feed: createRunEventFeed() }, store.runs.get(runId))
  })
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a start while another run holds the mailbox', () => {
  it('is refused with who holds it, and since when', () => {
    const before = endedRun()
    const { id } = owner()
    expect(runs.retry(before, 'fresh')).toEqual({
      ok: false,
      error: { type: 'already_running', runId: id, since: 700 },
    })
    expect(stopped).toEqual([])
  })

  it('stops the owner first when it takes over, and begins with the step that ends the owner', async () => {
    const before = endedRun()
    const { id } = owner()
    let answer: Awaited<ReturnType<RunService['takeOver']>> | null = null
    void runs.takeOver(before, 'fresh').then((value) => (answer = value))
    clock.advance(100)
    await settled()
    expect([stopped, answer]).toEqual([[id], null])
    end(id)
    const next = opened.store.runs.findLive(mailboxId)
    expect(next).toMatchObject({
      state: 'queued',
      phase: 'analysis',
      trigger: 'retry',
      resumeChoice: 'fresh',
    })
    clock.advance(100)
    await settled()
    expect(answer).toEqual({ ok: true, value: { runId: next?.id } })
  })

  it('begins also when nobody waits for it any more, as after a crash, and only once', () => {
    const before = endedRun()
    const { id } = owner()
    void runs.takeOver(before, 'auto')
    end(id)
    const [next, ...others] = opened.store.runs.listByMailbox(mailboxId, 10, null)
    expect(next?.id).toBeGreaterThan(id)
    expect(others.map((run) => run.id)).toEqual([id, before])
    expect(opened.store.runs.successorOf(id)).toBeNull()
  })

  it('says on the transcript of the owner why it could not begin', () => {
    const before = endedRun()
    const { id } = owner()
    void runs.takeOver(before, 'auto')
    opened.store.mailboxes.update(mailboxId, { isOpen: false }, 60)
    end(id)
    expect(opened.store.runs.findLive(mailboxId)).toBeNull()
    expect(opened.store.events.list(id, 0, 10)).toMatchObject([
      {
        kind: 'warning',
        payload: { text: 'The run that was to follow did not start: The issue is closed.' },
      },
    ])
  })

  it('gives up when the owner cannot be stopped', async () => {
    const before = endedRun()
    const { id } = owner()
    const answer = runs.takeOver(before, 'auto')
    for (let ms = 0; ms <= 90_000; ms += 1_000) {
      clock.advance(1_000)
      await settled()
    }
    expect(await answer).toMatchObject({ error: { type: 'already_running', runId: id } })
    expect(opened.store.runs.successorOf(id)).toBeNull()
  })

  describe('of a chat for which another run waits', () => {
    const waiting = {
      phase: 'development',
      trigger: 'plan_validated',
      requestedBy: null,
      resumeChoice: 'auto',
    } as const
    const chat = (): RunId => {
      const { id } = seedRun(opened.store, mailboxId, { phase: 'chat' })
      opened.store.locks.take(mailboxId, id, 700)
      opened.store.runs.setSuccessor(id, waiting)
      return id
    }
    const warnings = (id: RunId) =>
      opened.store.events.list(id, 0, 10).map(({ payload }) => (payload as { readonly text: string }).text)

    it('says that the other one gives way', () => {
      const before = endedRun()
      const id = chat()
      void runs.takeOver(before, 'auto')
      end(id)
      expect(opened.store.runs.findLive(mailboxId)).toMatchObject({ phase: 'analysis', trigger: 'retry' })
      expect(warnings(id)).toEqual([
        'The run that waited for this one (Development) does not start: a person started another one instead.',
      ])
      expect(opened.store.runs.successorOf(id)).toBeNull()
    })

    it('lets it wait as before when the chat cannot be stopped', async () => {
      const before = endedRun()
      const id = chat()
      const answer = runs.takeOver(before, 'auto')
      for (let ms = 0; ms <= 90_000; ms += 1_000) {
        clock.advance(1_000)
        await settled()
      }
      expect(await answer).toMatchObject({ error: { type: 'already_running', runId: id } })
      expect(opened.store.runs.successorOf(id)).toMatchObject(waiting)
    })

    it('starts the other one where its own cannot start any more', () => {
      const session = seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'x' })
      const id = chat()
      void runs.takeOver(session.runId, `session:${session.id}`)
      opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 60 }, 60)
      end(id)
      expect(opened.store.runs.findLive(mailboxId)).toMatchObject(waiting)
      expect(warnings(id)).toMatchObject([expect.stringContaining('did not start: ') as string])
    })

    it('leaves it alone where a person takes it over for a terminal already', async () => {
      const before = endedRun()
      const id = chat()
      const terminal = { adapter: 'demo', provider: null, model: null } as const
      opened.store.runs.setSuccessor(id, { ...waiting, phase: 'terminal', terminal, behind: waiting })
      expect(await runs.takeOver(before, 'auto')).toMatchObject({ error: { type: 'already_running' } })
      expect(stopped).toEqual([])
      expect(opened.store.runs.successorOf(id)).toMatchObject({ terminal, behind: waiting })
    })
  })

  it('stops nobody for a start that would be refused', async () => {
    const session = seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'x' })
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 50 }, 50)
    owner()
    expect(await runs.takeOver(session.runId, `session:${session.id}`)).toMatchObject({
      error: { type: 'memory_removed' },
    })
    opened.store.mailboxes.update(mailboxId, { isOpen: false }, 60)
    expect(await runs.takeOver(session.runId, 'auto')).toMatchObject({ error: { type: 'not_retryable' } })
    expect(stopped).toEqual([])
  })
})

it('goes on with the phase that was blocked, though a session was bound meanwhile', () => {
  const { store } = opened
  const ended = { state: 'ended', outcome: 'failed', endedAt: 20 } as const
  store.runs.update(seedRun(store, mailboxId, { phase: 'review_fix' }).id, ended)
  store.runs.update(seedRun(store, mailboxId, { phase: 'terminal', trigger: 'import' }).id, ended)
  store.mailboxes.update(mailboxId, { status: 'blocked' }, 30)
  const requested = runs.request(mailboxId, null, 'auto')
  if (!requested.ok) throw new Error(requested.error.type)
  expect(store.runs.get(requested.value.runId).phase).toBe('review_fix')
})
