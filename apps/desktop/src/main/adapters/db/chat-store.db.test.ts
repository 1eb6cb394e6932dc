import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunId } from '@shared/model/ids'
import type { ChatThread, LlmSession } from '@shared/model/records'
import type { Store } from '@main/ports/stores'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'

let opened: TestStore
let store: Store
let anchor: LlmSession
let thread: ChatThread
beforeEach(() => {
  opened = openTestStore()
  store = opened.store
  anchor = seedEndedRun(store, seedMailbox(store), { nativeSessionId: 'a' })
  thread = addThread()
})
afterEach(() => opened.remove())

const addThread = (isFresh = false): ChatThread => {
  const { mailboxId, adapter, id } = anchor
  return store.chats.addThread({ mailboxId, adapter, title: 'Run 1', anchorSessionId: id, isFresh }, 30)
}
const say = (runId: RunId, role: 'person' | 'agent', text: string) =>
  store.chats.addMessage({ threadId: thread.id, role, runId, state: 'queued', text, createdAt: 40 })
/** An ended turn of the chat, with the id that its session ended with. */
const turn = (nativeSessionId: string | null, costUsd: number | null = null): RunId => {
  const run = seedRun(store, anchor.mailboxId, { phase: 'chat', chatThread: thread.id })
  seedSession(store, run, { nativeSessionId, costUsd })
  store.runs.update(run.id, { state: 'ended', outcome: 'succeeded' })
  return run.id
}

describe('a chat in the store', () => {
  it('is found as it was added', () => {
    expect(store.chats.findThread(thread.id)).toEqual(thread)
    expect(thread).toMatchObject({
      anchorSessionId: anchor.id,
      title: 'Run 1',
      createdAt: 30,
      isFresh: false,
      draft: '',
    })
    expect(store.chats.findThread(99 as ChatThread['id'])).toBeNull()
  })

  it('is found by its anchor while nothing was said in it, the newest first', () => {
    const other = addThread()
    expect(store.chats.findEmptyThread(anchor.id, false)?.id).toBe(other.id)
    store.chats.addMessage({
      threadId: other.id,
      role: 'person',
      runId: turn(null),
      state: 'queued',
      text: 'x',
      createdAt: 1,
    })
    expect(store.chats.findEmptyThread(anchor.id, false)?.id).toBe(thread.id)
  })

  it('that begins without a memory is another one than the one that goes on with it', () => {
    const fresh = addThread(true)
    expect(store.chats.findEmptyThread(anchor.id, true)?.id).toBe(fresh.id)
    expect(store.chats.findEmptyThread(anchor.id, false)?.id).toBe(thread.id)
  })

  it('has a name and a draft that a person gives it, and is listed once something was said', () => {
    store.chats.setTitle(thread.id, 'Why 30 s?')
    store.chats.setDraft(thread.id, 'And wh')
    expect(store.chats.findThread(thread.id)).toMatchObject({ title: 'Why 30 s?', draft: 'And wh' })
    expect(store.chats.listThreads(anchor.mailboxId, 9)).toEqual([])
    say(turn(null), 'person', 'why?')
    expect(store.chats.listThreads(anchor.mailboxId, 9).map(({ id }) => id)).toEqual([thread.id])
    expect(store.chats.countMessages(thread.id)).toBe(1)
  })

  it('adds up what its turns cost, and counts those of which nobody knows it', () => {
    expect(store.chats.figuresOf(thread.id)).toEqual({
      turns: 0,
      costUsd: null,
      costUnknown: 0,
      lastAt: null,
    })
    turn('a', 0.25)
    turn('a', 0.5)
    turn('a')
    expect(store.chats.figuresOf(thread.id)).toMatchObject({ turns: 3, costUsd: 0.75, costUnknown: 1 })
  })

  it('holds its messages oldest first, and of each run one of each role', () => {
    const runId = turn('b')
    say(runId, 'person', 'why?')
    say(runId, 'agent', 'so')
    say(turn('c'), 'person', 'and?')
    expect(store.chats.listMessages(thread.id, 2).map(({ text }) => text)).toEqual(['so', 'and?'])
    expect(store.chats.findMessage(runId, 'agent')?.text).toBe('so')
    expect(() => say(runId, 'agent', 'so again')).toThrow('UNIQUE')
    store.chats.setMessageState(runId, 'sent')
    expect(store.chats.findMessage(runId, 'person')?.state).toBe('sent')
    expect(store.chats.findMessage(runId, 'agent')?.state).toBe('queued')
  })

  it('knows the newest id that a turn of it had, and of no other run', () => {
    expect(store.chats.newestSession(thread.id)).toBeNull()
    turn('b')
    turn(null)
    seedEndedRun(store, anchor.mailboxId, { nativeSessionId: 'of another run' })
    expect(store.chats.newestSession(thread.id)?.nativeSessionId).toBe('b')
  })
})
