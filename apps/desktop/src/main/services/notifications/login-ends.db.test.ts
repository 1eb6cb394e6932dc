import { afterEach, beforeEach, expect, it } from 'vitest'
import type { InstallationRow } from '@shared/contract/app'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { tellLoginEnds } from './login-ends'
import type { NotificationText } from './notification-texts'

const day = 86_400_000
const start = 1_000 * day

let opened: TestStore
let clock: ReturnType<typeof createSettableClock>
beforeEach(() => {
  opened = openTestStore()
  clock = createSettableClock(start)
})
afterEach(() => opened.remove())

const row = (change: Partial<InstallationRow>): InstallationRow => ({
  adapter: 'claude-code',
  runner: 'container',
  imageTag: 'alfred-agent:1',
  imageDigest: 'sha256:1',
  version: '2.1.332',
  resumable: true,
  reason: null,
  projectReasons: [],
  verifiedRange: null,
  pinLine: null,
  statePath: null,
  loginState: 'found',
  loginEndsAt: null,
  loginSource: null,
  loginMounts: 1,
  loginProof: null,
  projectLogins: [],
  detectedAt: 1,
  ...change,
})

function look(...rows: readonly InstallationRow[]): void {
  const { notifications: store } = opened.store
  const aboutNothing = { mailboxId: null, runId: null, setting: null }
  const notifications = {
    tell: (text: NotificationText) => void store.add({ ...aboutNothing, ...text }, clock.now()),
  }
  tellLoginEnds({ store, clock, notifications }, rows)
}

const told = () =>
  opened.store.notifications
    .list(20)
    .toReversed()
    .map(({ kind, title, body }) => [kind, title, body])
const titles = () => told().map(([, title]) => title)

it('tells what ends soon, and what that means for the work', () => {
  look(row({ loginEndsAt: start + 2 * day + 5 }))
  expect(told()).toEqual([
    [
      'login-expiring',
      'Claude login expires in 2 days',
      'After that, runs with claude-code wait instead of failing.',
    ],
  ])
})

it('says nothing of what is far away, has ended, is not there or never ends', () => {
  look(
    row({ loginEndsAt: start + 8 * day }),
    row({ adapter: 'codex', loginState: 'expired', loginEndsAt: start - day }),
    row({ adapter: 'opencode', version: null, loginEndsAt: start + day }),
    row({ adapter: 'copilot' }),
  )
  expect(told()).toEqual([])
})

it('tells each end once, in how many images it may be, and over a new start; a renewed login is told anew', () => {
  const ending = { loginEndsAt: start + 6 * day }
  look(row(ending), row({ ...ending, imageDigest: 'sha256:2' }))
  clock.advance(day)
  look(row(ending))
  expect(titles()).toEqual(['Claude login expires in 6 days'])
  clock.advance(4 * day)
  look(row({ loginEndsAt: start + 34 * day }))
  clock.advance(28 * day + day / 2)
  look(row({ loginEndsAt: start + 34 * day }))
  expect(titles()).toEqual(['Claude login expires in 6 days', 'Claude login expires in 12 hours'])
})

it('tells the logins of every agent, and those that projects have of their own', () => {
  const projectLogins = [
    { projects: 'harbour/pier', loginState: 'found', loginEndsAt: start + day },
    { projects: 'bay/shed', loginState: 'missing', loginEndsAt: null },
  ] as const
  look(
    row({ adapter: 'codex', loginEndsAt: start + 3 * day, projectLogins: [...projectLogins] }),
    row({ adapter: 'opencode', loginEndsAt: start + 60_000 }),
  )
  expect(titles()).toEqual([
    'Codex login expires in 3 days',
    'Codex login of harbour/pier expires in 1 day',
    'OpenCode login expires in less than an hour',
  ])
})
