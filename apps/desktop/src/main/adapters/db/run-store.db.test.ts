import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { Store } from '@main/ports/stores'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'

let test: TestStore
let store: Store
let mailbox: MailboxId

beforeEach(() => {
  test = openTestStore()
  store = test.store
  mailbox = seedMailbox(store)
})
afterEach(() => {
  test.remove()
})

const end = (id: RunId): void => store.runs.update(id, { state: 'ended', outcome: 'failed', endedAt: 9 })

describe('a run', () => {
  it('begins queued, with nothing known yet', () => {
    const run = seedRun(store, mailbox, { requestedBy: 'mia', resumeChoice: 'session:4' }, 7)
    expect(run).toMatchObject({
      state: 'queued',
      outcome: null,
      requestedBy: 'mia',
      resumeChoice: 'session:4',
      llmRetries: 0,
      commits: null,
      result: null,
      createdAt: 7,
    })
    expect(store.runs.get(run.id)).toEqual(run)
    expect(store.runs.findByUid(run.uid)).toEqual(run)
    expect(store.runs.find(99 as RunId)).toBeNull()
  })

  it('is one per mailbox until it has ended', () => {
    const first = seedRun(store, mailbox)
    expect(() => seedRun(store, mailbox)).toThrow('live run')
    expect(store.runs.findLive(mailbox)?.id).toBe(first.id)
    end(first.id)
    expect(store.runs.findLive(mailbox)).toBeNull()
    expect(seedRun(store, mailbox).id).not.toBe(first.id)
  })

  it('with a uid that is taken is a defect, not a second request', () => {
    const { uid } = seedRun(store, mailbox)
    expect(() => seedRun(store, seedMailbox(store, 2), { uid })).toThrow('UNIQUE')
  })

  it('has an outcome exactly when it has ended', () => {
    const { id } = seedRun(store, mailbox)
    expect(() => store.runs.update(id, { state: 'ended' })).toThrow('CHECK')
    expect(() => store.runs.update(id, { outcome: 'failed' })).toThrow('CHECK')
  })
})

describe('the runs of a mailbox', () => {
  it('come newest first, in pages', () => {
    const ids = [1, 2, 3, 4].map(() => seedEndedRun(store, mailbox).runId)
    expect(store.runs.listByMailbox(mailbox, 3, null).map(({ id }) => id)).toEqual([ids[3], ids[2], ids[1]])
    expect(store.runs.listByMailbox(mailbox, 3, ids[1] ?? null).map(({ id }) => id)).toEqual([ids[0]])
    expect(store.runs.latest(mailbox)?.id).toBe(ids[3])
    expect(store.runs.latest(seedMailbox(store, 2))).toBeNull()
  })
})

describe('the queue', () => {
  it('gives the runs that are due, oldest first', () => {
    const [a, b, c, d] = [1, 2, 3, 4].map((iid) => seedRun(store, seedMailbox(store, iid)))
    if (!a || !b || !c || !d) throw new Error('four runs')
    store.runs.update(a.id, { nextAttemptAt: 100 })
    store.runs.update(b.id, { nextAttemptAt: 50 })
    store.runs.update(d.id, { state: 'running' })
    expect(store.runs.listDue(50, 10).map(({ id }) => id)).toEqual([b.id, c.id])
    expect(store.runs.listDue(100, 2).map(({ id }) => id)).toEqual([a.id, b.id])
    expect(store.runs.countLive()).toEqual({ running: 1, queued: 3 })
    end(c.id)
    expect(store.runs.listLive().map(({ id }) => id)).toEqual([a.id, b.id, d.id])
    expect(store.runs.countLive()).toEqual({ running: 1, queued: 2 })
  })
})

describe('attempts and starts', () => {
  it('are numbered within what they belong to', () => {
    const run = seedRun(store, mailbox)
    const other = seedRun(store, seedMailbox(store, 2))
    const first = store.runs.addAttempt(run.id, 1)
    store.runs.addAttempt(other.id, 2)
    const second = store.runs.addAttempt(run.id, 3)
    expect([first.number, second.number]).toEqual([1, 2])
    const starts = (['first', 'fallback', 'collect'] as const).map((kind) =>
      store.runs.addStart(second.id, kind, 4),
    )
    expect(starts.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(store.runs.addStart(first.id, 'first', 5).number).toBe(1)
    expect(store.runs.listAttempts(run.id)).toEqual([first, second])
    expect(store.runs.listStarts(second.id)).toEqual(starts)
  })

  it('keep what became of them', () => {
    const run = seedRun(store, mailbox)
    const { id } = store.runs.addAttempt(run.id, 1)
    const start = store.runs.addStart(id, 'first', 1)
    expect(start).toMatchObject({ stdout: null, stderr: null, containerId: null, exitCode: null })
    store.runs.updateAttempt(id, { imageDigest: 'sha256:1', outcome: 'interrupted', endedAt: 5 })
    store.runs.updateStart(start.id, { containerId: 'c1', exitCode: 137, endedAt: 5 })
    const position = { device: '18446744073709551615', inode: '9007199254740993', offset: 5_000_000_000 }
    store.runs.setStreamPosition(start.id, 'stdout', position)
    expect(store.runs.listAttempts(run.id)[0]).toMatchObject({
      imageDigest: 'sha256:1',
      outcome: 'interrupted',
      endedAt: 5,
    })
    expect(store.runs.listStarts(id)[0]).toMatchObject({
      containerId: 'c1',
      exitCode: 137,
      stdout: position,
      stderr: null,
    })
  })

  it('keep the contract of the sandbox', () => {
    const { id } = store.runs.addAttempt(seedRun(store, mailbox).id, 1)
    expect(store.runs.sandboxOf(id)).toBeNull()
    store.runs.setSandbox(id, { limits: { pids: 512 }, mounts: [] })
    expect(store.runs.sandboxOf(id)).toEqual({ limits: { pids: 512 }, mounts: [] })
  })
})

describe('a step', () => {
  it('is stored whole or not at all', () => {
    expect(() =>
      store.transaction(() => {
        const run = seedRun(store, mailbox)
        store.events.append(run.id, [{ at: 1, kind: 'text', payload: {} }])
        throw new Error('half way')
      }),
    ).toThrow('half way')
    expect(store.runs.latest(mailbox)).toBeNull()
    expect(store.transaction(() => store.transaction(() => seedRun(store, mailbox).state))).toBe('queued')
  })
})
