import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import { createTimelineReader } from './timeline-reader'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

describe('the small threads of a list', () => {
  it('hold the latest runs of every mailbox that is asked for, oldest first, and of no other', () => {
    const [first, second, third] = [1, 2, 3].map((iid) => seedMailbox(opened.store, iid))
    if (first === undefined || second === undefined || third === undefined) throw new Error('unreachable')
    const runs = Array.from({ length: 4 }, () => {
      seedEndedRun(opened.store, third)
      return seedEndedRun(opened.store, first).runId
    })
    const threads = createTimelineReader(opened.db).threads([first, second], 3)
    expect([...threads.keys()]).toEqual([first])
    expect(threads.get(first)?.runs.map(({ run }) => run.id)).toEqual(runs.slice(1))
  })

  it('know every memory in the order in which it appeared, also those older than the runs they show', () => {
    const mailboxId = seedMailbox(opened.store)
    for (const nativeSessionId of ['zz', 'aa', 'zz', null, 'mm']) {
      seedEndedRun(opened.store, mailboxId, { nativeSessionId })
    }
    const reader = createTimelineReader(opened.db)
    const thread = reader.threads([mailboxId], 1).get(mailboxId)
    expect(thread?.memoryKeys).toEqual(['demo:zz', 'demo:aa', 'demo:mm'])
    expect(thread?.memoryKeys).toEqual(
      reader.memories(mailboxId).map(({ adapter, nativeSessionId }) => `${adapter}:${nativeSessionId}`),
    )
  })

  it('hold the sessions of all attempts, and none for a run that has not begun', () => {
    const mailboxId = seedMailbox(opened.store)
    const run = seedRun(opened.store, mailboxId)
    const sessions = () =>
      createTimelineReader(opened.db).threads([mailboxId], 8).get(mailboxId)?.runs[0]?.sessions
    expect(sessions()).toEqual([])
    seedSession(opened.store, run)
    seedSession(opened.store, run)
    expect(sessions()).toHaveLength(2)
    expect(sessions()?.[0]).toMatchObject({ runId: run.id, resumed: false })
  })
})
