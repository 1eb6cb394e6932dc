import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatThreadId, MailboxId, RunId } from '@shared/model/ids'
import type { ChatThread, LlmSession, Run } from '@shared/model/records'
import { createTimelineReader } from '@main/adapters/db/timeline-reader'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createChatQueries, type ChatQueries } from './chat-queries'

let opened: TestStore
let queries: ChatQueries
let mailboxId: MailboxId
let anchor: LlmSession
let thread: ChatThread

beforeEach(() => {
  opened = openTestStore()
  const { store, db } = opened
  queries = createChatQueries({ store, timeline: createTimelineReader(db), clock: createSettableClock(100) })
  mailboxId = seedMailbox(store)
  anchor = seedEndedRun(store, mailboxId, { nativeSessionId: 'a', stateBytesAfter: 7 })
  thread = store.chats.addThread(
    { mailboxId, adapter: 'demo', title: 'Run 1', anchorSessionId: anchor.id, isFresh: false },
    30,
  )
})
afterEach(() => opened.remove())

const ask = (text: string): Run => {
  const { store } = opened
  const run = seedRun(store, mailboxId, { phase: 'chat', chatThread: thread.id })
  store.chats.addMessage({
    threadId: thread.id,
    role: 'person',
    runId: run.id,
    state: 'queued',
    text,
    createdAt: 40,
  })
  return run
}
const end = (run: Run, session: Partial<LlmSession>): LlmSession => {
  const added = seedSession(opened.store, run, session)
  opened.store.runs.update(run.id, { state: 'ended', outcome: 'succeeded' })
  return added
}
const detail = (limit = 50) => queries.thread(mailboxId, thread.id, limit)

describe('whether a run can be continued', () => {
  it('says so of an ended one with an id', () => {
    expect(queries.canChat(anchor.runId)).toEqual({ canChat: true, reason: null, threadId: null })
    expect(queries.canChat(99 as RunId)).toBeNull()
  })

  it('names the run that holds the issue, also where that is a turn, which has its chat', () => {
    const turn = ask('Why?')
    expect(queries.canChat(anchor.runId)).toMatchObject({
      canChat: false,
      reason: `Run ${turn.id} of this issue is live. A chat waits for its end.`,
    })
    expect(queries.canChat(turn.id)).toEqual({ canChat: true, reason: null, threadId: thread.id })
  })

  it.each([
    ['is live', { state: 'running' }, 'has not ended yet'],
    ['told no id', { state: 'ended', outcome: 'failed' }, 'never told the id'],
  ] as const)('says in words why not where it %s', (_, change, words) => {
    const run = seedRun(opened.store, seedMailbox(opened.store, 2))
    seedSession(opened.store, run)
    opened.store.runs.update(run.id, change)
    expect(queries.canChat(run.id)).toMatchObject({
      canChat: false,
      reason: expect.stringContaining(words) as string,
    })
  })

  it('says when the memory was removed', () => {
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 500 }, 500)
    expect(queries.canChat(anchor.runId)?.reason).toContain('Memory removed at cleanup on')
  })
})

describe('a chat', () => {
  it('is its newest messages with their turns, and counts all of them', () => {
    end(ask('Why?'), { nativeSessionId: 'a', costUsd: 0.5 })
    const second = ask('And?')
    expect(detail(1)).toMatchObject({
      messageCount: 2,
      turnCount: 2,
      costUsd: 0.5,
      costUnknown: 0,
      liveRunId: second.id,
      messages: [{ text: 'And?', state: 'queued' }],
      turns: [{ row: { runId: second.id, phase: 'chat' } }],
    })
  })

  it('is full as its newest session says', () => {
    end(ask('Why?'), { nativeSessionId: 'a', contextUsed: 85, contextMax: 100 })
    expect(detail()).toMatchObject({ contextUsed: 85, contextMax: 100 })
  })

  it('names the session that a turn lost, to be asked for again, while it is not removed', () => {
    end(ask('Why?'), {
      mode: 'resume',
      resumeFallback: 'refused',
      requestedSessionId: 'a',
      nativeSessionId: 'b',
      stateSavedAt: 20,
    })
    expect(detail()?.turns[0]).toMatchObject({ lostSessionId: anchor.id, row: { badge: 'refused' } })
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 500 }, 500)
    expect(detail()?.turns[0]?.lostSessionId).toBeNull()
  })

  it('knows the turn in which its memory began fresh, also where the CLI gave other ids since', () => {
    const freshSince = () => detail()?.freshSince
    expect(freshSince()).toBeNull()
    end(ask('Why?'), { mode: 'resume', resumed: true, requestedSessionId: 'a', nativeSessionId: 'a2' })
    expect(freshSince()).toBeNull()
    const lost = ask('And?')
    end(lost, { mode: 'resume', resumeFallback: 'refused', requestedSessionId: 'a2', nativeSessionId: 'b' })
    expect(freshSince()).toBe(lost.id)
    end(ask('Now?'), { mode: 'resume', resumed: true, requestedSessionId: 'b', nativeSessionId: 'b2' })
    expect(freshSince()).toBe(lost.id)
    end(ask('Again?'), { mode: 'resume', resumed: true, requestedSessionId: 'a2', nativeSessionId: 'a2' })
    expect(freshSince()).toBeNull()
  })

  it('is as full and as large as before while a turn has said nothing of it', () => {
    end(ask('Why?'), { nativeSessionId: 'a', contextUsed: 85, contextMax: 100, stateBytesAfter: 9 })
    seedSession(opened.store, ask('And?'), { nativeSessionId: 'a', stateBytesBefore: 9, stateSavedAt: 50 })
    expect(detail()).toMatchObject({ contextUsed: 85, chat: { stateBytes: 9, savedAt: 50 } })
  })

  it('is one of its own issue', () => {
    expect(queries.thread(seedMailbox(opened.store, 2), thread.id, 9)).toBeNull()
    expect(queries.thread(mailboxId, 99 as ChatThreadId, 9)).toBeNull()
  })
})

describe('a chat as a file', () => {
  it('is all that was said', () => {
    end(ask('Why?'), { nativeSessionId: 'a' })
    ask('And?')
    const file = queries.export(thread.id)
    expect(file?.fileName).toBe('harbour-pier-1-run-1.md')
    for (const words of ['# Run 1', 'harbour/pier#1: Issue 1', 'Why?', 'And?'])
      expect(file?.markdown).toContain(words)
    expect(queries.export(99 as ChatThreadId)).toBeNull()
  })
})

describe('the chats of an issue', () => {
  it('stand beside its memories, in the order of their letters', () => {
    end(ask('Why?'), { nativeSessionId: 'b', costUsd: 0.25, stateBytesAfter: 9 })
    expect(queries.ofMailbox(mailboxId)).toMatchObject({
      memories: [
        { nativeSessionId: 'a', runs: 1, stateBytes: 7, state: 'ok', runId: anchor.runId },
        { nativeSessionId: 'b', runs: 1, stateBytes: 9, state: 'ok' },
      ],
      chats: [{ threadId: thread.id, turns: 1, costUsd: 0.25, nativeSessionId: 'b' }],
    })
  })

  it('tell a memory that was lost from one that a later run resumed again', () => {
    const lost = { mode: 'resume', resumeFallback: 'state_missing', requestedSessionId: 'a' } as const
    end(ask('Why?'), { ...lost, nativeSessionId: 'b' })
    expect(queries.ofMailbox(mailboxId).memories[0]).toMatchObject({ state: 'lost' })
    end(ask('Again?'), { mode: 'resume', requestedSessionId: 'a', nativeSessionId: 'a', resumed: true })
    expect(queries.ofMailbox(mailboxId).memories[0]).toMatchObject({ state: 'ok', since: null })
  })

  it('know which memory was removed at cleanup', () => {
    opened.store.mailboxes.update(mailboxId, { memoryRemovedAt: 500 }, 500)
    expect(queries.ofMailbox(mailboxId).memories[0]).toMatchObject({ state: 'removed', since: 500 })
  })
})
