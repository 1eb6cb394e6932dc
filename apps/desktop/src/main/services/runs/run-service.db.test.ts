import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, RunId } from '@shared/model/ids'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock, type SettableClock } from '../../../../test/fakes/settable-clock'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { createRunRequests } from './run-requests'
import { createRunService, type RunService } from './run-service'

let opened: TestStore
let clock: SettableClock
let mailboxId: MailboxId
let stopped: RunId[]
let runs: RunService

beforeEach(() => {
  opened = openTestStore()
  clock = createSettableClock(1_000)
  mailboxId = seedMailbox(opened.store)
  stopped = []
  const { store } = opened
  store.settings.set('app', 0, 'AGENT_ADAPTER', 'demo', 1)
  const requests = createRunRequests({
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

  it('stops the owner first when it takes over, and begins once its container has let go', async () => {
    const before = endedRun()
    const { id } = owner()
    let answer: Awaited<ReturnType<RunService['takeOver']>> | null = null
    void runs.takeOver(before, 'fresh').then((value) => (answer = value))
    opened.store.runs.update(id, { state: 'ended', outcome: 'stopped' })
    clock.advance(100)
    await settled()
    expect([stopped, answer]).toEqual([[id], null])
    opened.store.locks.release(mailboxId, id)
    clock.advance(100)
    await settled()
    expect(answer).toMatchObject({ ok: true })
    expect(opened.store.runs.findLive(mailboxId)).toMatchObject({ trigger: 'retry', resumeChoice: 'fresh' })
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
