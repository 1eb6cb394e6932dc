import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrganizationId } from '@shared/model/ids'
import type { SettingScope } from '@shared/model/settings'
import { createTimelineReader } from '../../adapters/db/timeline-reader'
import { toldDesktop } from '../../../../test/fakes/notification-rules'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { silentLogger } from '../../../../test/integration/support/silent-logger'
import { startOfDay } from '../start-of-day'
import { createSettingReader } from '../settings/setting-values'
import { createChangeFeed } from '../status/change-feed'
import { createNotificationService } from './notification-service'
import { startNotificationWatch, type NotificationWatch } from './notification-watch'

const noon = startOfDay(Date.UTC(2026, 10, 30, 12)) + 12 * 3_600_000

let opened: TestStore
let clock: ReturnType<typeof createSettableClock>
let watch: NotificationWatch
let mailboxId: ReturnType<typeof seedMailbox>
beforeEach(() => {
  opened = openTestStore()
  const { store } = opened
  clock = createSettableClock(noon)
  mailboxId = seedMailbox(store)
  const changes = createChangeFeed(clock)
  const notifications = createNotificationService({
    ...toldDesktop(),
    store: store.notifications,
    notifier: { show: () => undefined },
    clock,
    logger: silentLogger,
    changes,
  })
  const settings = createSettingReader(store)
  watch = startNotificationWatch({
    store,
    timeline: createTimelineReader(opened.db),
    clock,
    logger: silentLogger,
    settings,
    changes,
    notifications,
  })
})
afterEach(() => {
  watch.close()
  opened.remove()
})

const project = () => opened.store.forges.getProject(opened.store.mailboxes.get(mailboxId).projectId)
const scopeId = (scope: SettingScope): number =>
  ({ app: 0, organization: project().organizationId, project: project().id })[scope]
const budget = (scope: SettingScope, usd: number | null): void =>
  opened.store.settings.set(scope, scopeId(scope), 'DAY_BUDGET_USD', usd, 1)
const addProject = (organizationId: OrganizationId): void => {
  const place = { organizationId, slug: 'quay', defaultBranch: 'main', isDemo: true, isWatched: true }
  opened.store.forges.addProject(place, 1)
}

/** A run that has just ended, and cost this much. */
function runThatCost(usd: number): void {
  const { store } = opened
  const run = seedRun(store, mailboxId, {}, clock.now())
  const { id } = seedSession(store, run)
  store.sessions.noteUsed(id, { start: 1, nativeSessionId: null, costUsd: usd }, clock.now())
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', endedAt: clock.now() })
  watch.runSettled(store.runs.get(run.id))
}

const told = () =>
  opened.store.notifications
    .list(10)
    .filter(({ kind }) => kind === 'budget')
    .map(({ title, setting }) => [title, setting?.scope])
    .toReversed()

it('the end of a run tells what all its attempts cost', () => {
  const { store } = opened
  const run = seedRun(store, mailboxId, {}, clock.now())
  for (const costUsd of [0.5, 0.25]) seedSession(store, run, { costUsd })
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded', endedAt: clock.now() })
  watch.runSettled(store.runs.get(run.id))
  expect(store.notifications.list(1)[0]?.body).toMatch(/\$0\.75$/)
})

describe('the budget of a day', () => {
  it('is told once a day for each scope that has used four fifths of its own, and leads to where it is said', () => {
    budget('app', 10)
    budget('project', 2)
    addProject(project().organizationId)
    runThatCost(1.5)
    expect(told()).toEqual([])
    runThatCost(0.25)
    runThatCost(0.25)
    expect(told()).toEqual([["87 % of today's $2.00 for harbour/pier is used", 'project']])
    runThatCost(6)
    runThatCost(1)
    expect(told().slice(1)).toEqual([["80 % of today's $10.00 is used", 'app']])
    expect(opened.store.notifications.list(10).find(({ kind }) => kind === 'budget')).toMatchObject({
      runId: null,
      mailboxId: null,
      setting: { key: 'DAY_BUDGET_USD', scope: 'app', scopeId: 0 },
    })
  })

  it('is not told where it keeps no run of any project waiting, since each has one of its own or none', () => {
    const { store } = opened
    budget('app', 1)
    budget('organization', 2)
    budget('project', 100)
    runThatCost(1.75)
    expect(told()).toEqual([])
    addProject(project().organizationId)
    runThatCost(0)
    const ofOrganization = ["87 % of today's $2.00 for harbour is used", 'organization']
    expect(told()).toEqual([ofOrganization])
    addProject(store.forges.addOrganization(project().forgeId, 'canal', 1).id)
    runThatCost(0)
    expect(told()).toEqual([ofOrganization, ["175 % of today's $1.00 is used", 'app']])
  })

  it('is not told of the app where a project says that it has none', () => {
    budget('app', 1)
    budget('project', null)
    runThatCost(1)
    expect(told()).toEqual([])
  })

  it('is that of an organization too, and told again the next day', () => {
    budget('organization', 4)
    runThatCost(4)
    clock.jump(86_400_000)
    runThatCost(1)
    expect(told()).toHaveLength(1)
    runThatCost(3)
    const words = ["100 % of today's $4.00 for harbour is used", 'organization']
    expect(told()).toEqual([words, words])
  })
})
