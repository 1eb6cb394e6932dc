import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ChatThreadId, MailboxId, RunId } from '@shared/model/ids'
import type { LlmSession } from '@shared/model/records'
import type { ChatMessageState } from '@shared/model/words'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import type { SessionPlan } from '../../core/session/resolve-session'
import { createRunEventFeed } from './run-event-feed'
import { tellTurnsNotRemembered } from './turns-not-remembered'

const clock = createSettableClock(100)
const resume: SessionPlan = { mode: 'resume', name: 'agent/issue-1-a', nativeId: 'a' }
let opened: TestStore
let mailboxId: MailboxId
let threadId: ChatThreadId

beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
  const anchor = seedEndedRun(opened.store, mailboxId, { nativeSessionId: 'a' })
  const thread = { mailboxId, adapter: 'demo', title: 'Run 1', anchorSessionId: anchor.id } as const
  threadId = opened.store.chats.addThread({ ...thread, isFresh: false }, 30).id
})
afterEach(() => opened.remove())

function turn(session: Partial<LlmSession>, state: ChatMessageState = 'sent'): void {
  const { store } = opened
  const run = seedRun(store, mailboxId, { phase: 'chat', chatThread: threadId })
  seedSession(store, run, session)
  store.chats.addMessage({
    threadId,
    role: 'person',
    runId: run.id,
    state,
    text: 'Why?',
    createdAt: 40,
  })
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded' })
}
const replayed = { mode: 'none', sessionName: null } as const

function next(plan: SessionPlan = resume, nativeSessionId: string | null = null): RunId {
  const { store } = opened
  const run = seedRun(store, mailboxId, { phase: 'development' })
  const feed = createRunEventFeed()
  tellTurnsNotRemembered({ store, clock, feed }, run, plan)
  tellTurnsNotRemembered({ store, clock, feed }, run, plan)
  seedSession(store, run, { mode: 'resume', nativeSessionId })
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded' })
  return run.id
}
const told = (runId: RunId) =>
  opened.store.events
    .listBefore(runId, Number.MAX_SAFE_INTEGER, 10)
    .map(({ kind, payload }) => ({ kind, payload }))
const warning = (text: RegExp) => [{ kind: 'warning', payload: { text: expect.stringMatching(text) } }]

it('says once which messages the memory that goes on never heard of', () => {
  turn(replayed)
  expect(told(next())).toEqual(warning(/^The agent does not remember the last message of the chat/))
  turn(replayed)
  expect(told(next())).toEqual(warning(/the last 2 messages of the chat: they were sent while sessions/))
})

it('says nothing of messages that it was told of before, that the agent heard, or that never reached one', () => {
  expect(told(next())).toEqual([])
  turn({ nativeSessionId: 'a', mode: 'resume' })
  turn(replayed, 'draft')
  expect(told(next())).toEqual([])
  turn(replayed)
  expect(told(next(resume, 'a'))).toHaveLength(1)
  expect(told(next())).toEqual([])
})

it('says nothing where nothing is to be remembered', () => {
  turn(replayed)
  expect(told(next({ mode: 'none', offReason: 'host_runner' }))).toEqual([])
})
