import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId } from '@shared/model/ids'
import type { OutboxItem, Store } from '@main/ports/stores'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'

let test: TestStore
let store: Store
let one: MailboxId
let two: MailboxId

beforeEach(() => {
  test = openTestStore()
  store = test.store
  one = seedMailbox(store, 1)
  two = seedMailbox(store, 2)
})
afterEach(() => {
  test.remove()
})

function add(key: string, mailboxId: MailboxId, at: number): OutboxItem {
  store.outbox.add({
    key,
    kind: 'comment',
    mailboxId,
    runId: null,
    target: 'issue',
    payload: { body: key },
    at,
  })
  const item = store.outbox.findByKey(key)
  if (item === null) throw new Error('not added')
  return item
}

const due = (now: number, limit = 10): readonly string[] =>
  store.outbox.listDue(now, limit).map(({ key }) => key)

describe('the outbox', () => {
  it('takes every key once', () => {
    const first = add('k', one, 5)
    store.outbox.add({ key: 'k', kind: 'push', mailboxId: two, runId: null, target: 'x', payload: {}, at: 9 })
    expect(store.outbox.findByKey('k')).toEqual(first)
    expect(first).toMatchObject({
      seq: 1,
      state: 'waiting',
      attempts: 0,
      nextAttemptAt: 5,
      payload: { body: 'k' },
    })
    expect(store.outbox.findByKey('other')).toBeNull()
  })

  it('gives the first unfinished item of each mailbox, once it is due', () => {
    const a1 = add('a1', one, 10)
    const a2 = add('a2', one, 10)
    add('b1', two, 20)
    expect(due(9)).toEqual([])
    expect(due(10)).toEqual(['a1'])
    expect(due(20)).toEqual(['a1', 'b1'])
    expect(due(20, 1)).toEqual(['a1'])
    // What waits for its next attempt holds up what comes after it.
    store.outbox.update(a1.id, { attempts: 1, nextAttemptAt: 99, lastError: 'HTTP 502' })
    expect(due(20)).toEqual(['b1'])
    store.outbox.update(a1.id, { state: 'sent', sentAt: 30, remoteId: '7', postedSha256: 'abc' })
    expect(due(20)).toEqual(['a2', 'b1'])
    // What was being sent when the app ended is looked at again.
    store.outbox.update(a2.id, { state: 'sending' })
    expect(due(20)).toEqual(['a2', 'b1'])
    store.outbox.update(a2.id, { state: 'failed' })
    expect(due(20)).toEqual(['b1'])
    expect(store.outbox.countWaiting()).toBe(1)
    expect(store.outbox.listByMailbox(one).map(({ key, state }) => [key, state])).toEqual([
      ['a1', 'sent'],
      ['a2', 'failed'],
    ])
  })

  it('tells what a run wrote, and keeps it when the run goes', () => {
    const run = seedRun(store, one)
    store.outbox.add({
      key: 'r',
      kind: 'push',
      mailboxId: one,
      runId: run.id,
      target: 'branch',
      payload: [],
      at: 1,
    })
    expect(store.outbox.listByRun(run.id).map(({ key }) => key)).toEqual(['r'])
    test.db.prepare('DELETE FROM runs').run()
    expect(store.outbox.findByKey('r')?.runId).toBeNull()
  })
})
