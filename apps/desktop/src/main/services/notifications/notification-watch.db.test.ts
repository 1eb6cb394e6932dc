import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId } from '@shared/model/ids'
import type { Run } from '@shared/model/records'
import type { NeedsYou, Phase } from '@shared/model/words'
import { createTimelineReader } from '../../adapters/db/timeline-reader'
import { questionsText } from '../../core/workflow/texts'
import { toldDesktop } from '../../../../test/fakes/notification-rules'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { silentLogger } from '../../../../test/integration/support/silent-logger'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { createNotificationService } from './notification-service'
import { startNotificationWatch } from './notification-watch'

let opened: TestStore
let mailboxId: MailboxId
beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
})
afterEach(() => opened.remove())

/** As a new engine does at its start. */
function startEngine(settled: readonly Run[] = []): void {
  const { store } = opened
  const clock = createSettableClock(0)
  const changes = createChangeFeed(clock)
  const notifications = createNotificationService({
    ...toldDesktop(),
    store: store.notifications,
    notifier: { show: () => undefined },
    clock,
    logger: silentLogger,
    changes,
  })
  const watch = startNotificationWatch({
    store,
    timeline: createTimelineReader(opened.db),
    clock,
    logger: silentLogger,
    settings: createSettingReader(store),
    changes,
    notifications,
  })
  watch.catchUp()
  for (const run of settled) watch.runSettled(run)
  watch.close()
  notifications.close()
}

const waitFor = (needsYou: NeedsYou | null): void => opened.store.mailboxes.update(mailboxId, { needsYou }, 1)
function ask(questions: readonly string[]): void {
  const payload = {
    type: 'comment',
    text: questionsText(questions, 1),
    markerKind: 'questions',
    cause: 'run 1',
  }
  opened.store.outbox.add({ key: 'q', kind: 'comment', mailboxId, runId: null, target: '', payload, at: 1 })
}
const told = (): readonly string[] =>
  opened.store.notifications
    .list(10)
    .map(({ title }) => title.split(' · ')[0] ?? '')
    .toReversed()

describe('what a mailbox waits for', () => {
  it('is told by the next engine when one died before it could, and only once', () => {
    waitFor('validate_plan')
    startEngine()
    startEngine()
    expect(told()).toEqual(['The plan waits for you'])
  })

  it('is told anew when it is something else, and when it waits for the same again', () => {
    waitFor('validate_plan')
    startEngine()
    waitFor('answer_questions')
    ask(['Which zone?\n1. of the carrier\n2. of the port', 'And in summer?'])
    startEngine()
    waitFor('validate_plan')
    startEngine()
    expect(told()).toEqual(['The plan waits for you', '2 questions for you', 'The plan waits for you'])
  })
})

describe('a merge request', () => {
  it('is named as its forge says it', () => {
    const { store } = opened
    const { projectId } = store.mailboxes.get(mailboxId)
    const change = store.mailboxes.ensure({ projectId, kind: 'merge_request', iid: 342, title: 'Notes' }, 1)
    store.mailboxes.update(change.id, { needsYou: 'push_needs_person' }, 1)
    startEngine()
    expect(store.notifications.list(1)[0]?.title).toBe('A push waits for you · !342')
  })
})

describe('the end of a run', () => {
  const failed = (phase: Phase): Run => {
    const { id } = seedRun(opened.store, mailboxId, { phase })
    opened.store.runs.update(id, { state: 'ended', outcome: 'failed' })
    return opened.store.runs.get(id)
  }

  it('tells of another adapter which memory it left, as it is now', () => {
    const { store } = opened
    const changedAt = (createdAt: number): Run => {
      const mode = { mode: 'fresh', resumeFallback: 'adapter_changed', createdAt } as const
      return store.runs.get(seedEndedRun(store, mailboxId, { adapter: 'fake', ...mode }).runId)
    }
    seedEndedRun(store, mailboxId, { nativeSessionId: 'first', createdAt: 5 })
    seedEndedRun(store, mailboxId, { nativeSessionId: 'second', createdAt: 6 })
    startEngine([changedAt(7)])
    store.mailboxes.update(mailboxId, { memoryRemovedAt: 8 }, 8)
    startEngine([changedAt(9)])
    expect(store.notifications.list(10).map(({ body }) => body.split('.')[0])).toEqual([
      'Fresh with fake; memory B of demo was removed at cleanup',
      'Fresh with fake; memory B of demo is kept',
    ])
  })

  it('is told, but for a turn of a chat: its answer is', () => {
    startEngine([failed('development'), failed('chat')])
    expect(told()).toEqual(['Blocked'])
  })
})
