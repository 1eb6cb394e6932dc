import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId, SessionId } from '@shared/model/ids'
import type { Store } from '@main/ports/stores'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'

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

describe('a session', () => {
  it('is stored with every column', () => {
    const full = {
      provider: 'p',
      model: 'm',
      sessionName: 'agent/issue-1',
      nativeSessionId: 'n',
      resumed: true,
      mode: 'resume',
      requestedSessionId: 'n',
      chosenSessionId: 'c',
      stateBytesBefore: 1,
      stateBytesAfter: 2,
      stateSavedAt: 3,
      idSetAside: true,
      firstEventAt: 4,
      inputTokens: 5,
      cachedTokens: 6,
      outputTokens: 7,
      costUsd: 0.125,
      contextUsed: 8,
      contextMax: 9,
      turns: 10,
      toolCalls: 11,
      createdAt: 12,
      endedAt: 13,
    } as const
    const added = seedEndedRun(store, mailbox, full)
    expect(added).toMatchObject(full)
    expect(store.sessions.get(added.id)).toEqual(added)
    expect(store.sessions.findByAttempt(added.attemptId)).toEqual(added)
    expect(store.sessions.listByRun(added.runId)).toEqual([added])
    expect(store.sessions.find(99 as SessionId)).toBeNull()
  })

  it('keeps what is not known as null, never as 0', () => {
    const added = seedEndedRun(store, mailbox)
    expect(store.sessions.get(added.id)).toMatchObject({
      costUsd: null,
      inputTokens: null,
      turns: null,
      contextUsed: null,
    })
  })

  it('changes only in what a patch names', () => {
    const { id } = seedEndedRun(store, mailbox, { requestedSessionId: 'a', mode: 'resume' })
    store.sessions.update(id, { nativeSessionId: 'a', resumed: true })
    store.sessions.update(id, { resumed: false, resumeFallback: 'refused', nativeSessionId: 'b' })
    expect(store.sessions.get(id)).toMatchObject({
      nativeSessionId: 'b',
      resumed: false,
      resumeFallback: 'refused',
      requestedSessionId: 'a',
    })
  })

  it('cannot be resumed and fallen back, or have a name where sessions do not apply', () => {
    const { id } = seedEndedRun(store, mailbox)
    expect(() => store.sessions.update(id, { resumed: true, resumeFallback: 'refused' })).toThrow('CHECK')
    expect(() => seedEndedRun(store, seedMailbox(store, 2), { mode: 'none' })).toThrow('CHECK')
  })
})

describe('the prior session', () => {
  it('is the latest of this mailbox and adapter that has a native id', () => {
    seedEndedRun(store, mailbox, { adapter: 'codex', nativeSessionId: 'old' })
    const wanted = seedEndedRun(store, mailbox, { adapter: 'codex', nativeSessionId: 'new' })
    seedEndedRun(store, mailbox, { adapter: 'codex' })
    seedEndedRun(store, mailbox, { adapter: 'claude-code', nativeSessionId: 'other adapter' })
    seedEndedRun(store, seedMailbox(store, 2), { adapter: 'codex', nativeSessionId: 'other mailbox' })
    const found = store.sessions.findPrior(mailbox, 'codex', null)
    expect(found?.nativeSessionId).toBe('new')
    expect(wanted).toMatchObject(found ?? {})
    expect(store.sessions.findPrior(mailbox, 'opencode', null)).toBeNull()
    expect(store.sessions.findPriorOfAnyAdapter(mailbox, null)?.nativeSessionId).toBe('other adapter')
  })

  it('is never the one of the attempt that asks', () => {
    const before = seedEndedRun(store, mailbox, { nativeSessionId: 'before' })
    const current = seedSession(store, seedRun(store, mailbox), { nativeSessionId: 'current' })
    expect(store.sessions.findPrior(mailbox, 'demo', current.attemptId)?.id).toBe(before.id)
    expect(store.sessions.findPrior(mailbox, 'demo', null)?.id).toBe(current.id)
    expect(store.sessions.findPriorOfAnyAdapter(mailbox, current.attemptId)?.id).toBe(before.id)
  })
})

describe('a dropped id', () => {
  it('is no prior session, of its mailbox and adapter alone, until it is taken back', () => {
    const before = seedEndedRun(store, mailbox, { nativeSessionId: 'a' })
    const dropped = seedEndedRun(store, mailbox, { nativeSessionId: 'b' })
    store.sessions.drop(mailbox, 'demo', 'b', 7)
    store.sessions.drop(mailbox, 'demo', 'b', 8)
    store.sessions.drop(mailbox, 'codex', 'a', 9)
    store.sessions.drop(seedMailbox(store, 2), 'demo', 'a', 9)
    expect(store.sessions.droppedAt(mailbox, 'demo', 'b')).toBe(7)
    expect(store.sessions.droppedAt(mailbox, 'demo', 'a')).toBeNull()
    expect(store.sessions.findPrior(mailbox, 'demo', null)?.id).toBe(before.id)
    expect(store.sessions.findPriorOfAnyAdapter(mailbox, null)?.id).toBe(before.id)
    expect([
      store.sessions.hasDropped(mailbox, 'demo'),
      store.sessions.hasDropped(mailbox, 'opencode'),
    ]).toEqual([true, false])
    store.sessions.takeBack(mailbox, 'demo', 'b')
    expect(store.sessions.droppedAt(mailbox, 'demo', 'b')).toBeNull()
    expect(store.sessions.findPrior(mailbox, 'demo', null)?.id).toBe(dropped.id)
  })
})

describe('all sessions', () => {
  it('come in pages, oldest first, of every mailbox', () => {
    const ids = [1, 2, 3, 4].map((iid) => seedEndedRun(store, seedMailbox(store, iid)).id)
    const page = (after: number | null) => store.sessions.listAll(3, after as never).map(({ id }) => id)
    expect(page(null)).toEqual(ids.slice(0, 3))
    expect(page(ids[2] ?? 0)).toEqual(ids.slice(3))
  })
})

describe('sessions by an id', () => {
  it('are those that asked for it or carried it, newest first, each once', () => {
    const carried = seedEndedRun(store, mailbox, { nativeSessionId: 'a' })
    const both = seedEndedRun(store, mailbox, { nativeSessionId: 'a', requestedSessionId: 'a' })
    const asked = seedEndedRun(store, mailbox, { nativeSessionId: 'b', requestedSessionId: 'a' })
    seedEndedRun(store, mailbox, { nativeSessionId: 'b', requestedSessionId: 'b' })
    seedEndedRun(store, mailbox, { adapter: 'codex', nativeSessionId: 'a' })
    const ids = (limit: number) =>
      store.sessions.listByRequestedId(mailbox, 'demo', 'a', limit).map(({ id }) => id)
    expect(ids(10)).toEqual([asked.id, both.id, carried.id])
    expect(ids(2)).toEqual([asked.id, both.id])
  })

  it('can be set aside, with the latest reason, and taken back', () => {
    store.sessions.setAside(mailbox, 'demo', 'a', 'state_missing', 1)
    store.sessions.setAside(mailbox, 'demo', 'a', 'refused', 2)
    expect(store.sessions.findSetAside(mailbox, 'demo', 'a')).toBe('refused')
    expect(store.sessions.findSetAside(mailbox, 'codex', 'a')).toBeNull()
    store.sessions.clearSetAside(mailbox, 'demo', 'a')
    expect(store.sessions.findSetAside(mailbox, 'demo', 'a')).toBeNull()
  })
})

describe('the sessions of a mailbox', () => {
  it('come in pages from the newest back, oldest first within a page', () => {
    const ids = [1, 2, 3, 4, 5].map(() => seedEndedRun(store, mailbox).id)
    const page = (before: SessionId | null) =>
      store.sessions.listByMailbox(mailbox, 2, before).map(({ id }) => id)
    expect(page(null)).toEqual([ids[3], ids[4]])
    expect(page(ids[3] ?? null)).toEqual([ids[1], ids[2]])
    expect(page(ids[1] ?? null)).toEqual([ids[0]])
  })

  it('add up to what is known, and count what is not', () => {
    seedEndedRun(store, mailbox, { costUsd: 0.5, inputTokens: 100, outputTokens: 10, createdAt: 5 })
    seedEndedRun(store, mailbox, { costUsd: 0.25, inputTokens: 1, createdAt: 9 })
    seedEndedRun(store, mailbox, { createdAt: 9 })
    expect(store.sessions.totals(mailbox)).toEqual({
      sessions: 3,
      costUsd: 0.75,
      costUnknown: 1,
      tokens: 110,
      tokensUnknown: 2,
    })
    expect(store.sessions.totals(seedMailbox(store, 2))).toEqual({
      sessions: 0,
      costUsd: 0,
      costUnknown: 0,
      tokens: 0,
      tokensUnknown: 0,
    })
  })
})

describe('what the starts of an attempt used', () => {
  const quarter = 15 * 60_000
  const row = (id: SessionId) => {
    const { inputTokens, costUsd, turns } = store.sessions.get(id)
    return { inputTokens, costUsd, turns }
  }

  it('adds up in the row, the newest figures of each start', () => {
    const { id } = seedSession(store, seedRun(store, mailbox))
    store.sessions.noteUsed(id, { start: 1, nativeSessionId: null, inputTokens: 10, costUsd: 0.5 }, 1)
    store.sessions.noteUsed(id, { start: 1, nativeSessionId: 'a', inputTokens: 12, costUsd: null }, 2)
    store.sessions.noteUsed(id, { start: 3, nativeSessionId: 'b', costUsd: 0.25, turns: 4 }, 3)
    expect(row(id)).toEqual({ inputTokens: 12, costUsd: 0.75, turns: 4 })
    expect(store.sessions.figuresOf(id)).toMatchObject([
      { start: 1, nativeSessionId: 'a', inputTokens: 12, costUsd: 0.5, turns: null },
      { start: 3, nativeSessionId: 'b', inputTokens: null, costUsd: 0.25, turns: 4 },
    ])
  })

  it('does not hold what a copied session had used before, which the memory does', () => {
    const { id } = seedEndedRun(store, mailbox, { nativeSessionId: 'a', inputTokens: 0, costUsd: 0 })
    store.sessions.noteUsed(id, { start: 0, nativeSessionId: 'a', inputTokens: 70 }, 1)
    expect(row(id)).toMatchObject({ inputTokens: 0, costUsd: 0 })
    const next = seedSession(store, seedRun(store, mailbox))
    expect(store.sessions.usedEarlier(next, 'a', 1)).toMatchObject({ inputTokens: 70, outputTokens: null })
    expect(store.sessions.usedEarlier(next, 'b', 1)).toMatchObject({ inputTokens: null })
  })

  it('counts from the newest copy on, when the same session was brought in again', () => {
    const bringIn = (inputTokens: number) => {
      const { id } = seedEndedRun(store, mailbox, { nativeSessionId: 'a' })
      store.sessions.noteUsed(id, { start: 0, nativeSessionId: 'a', inputTokens }, 1)
    }
    const use = (inputTokens: number) => {
      const { id } = seedEndedRun(store, mailbox, { nativeSessionId: 'a' })
      store.sessions.noteUsed(id, { start: 1, nativeSessionId: 'a', inputTokens }, 1)
    }
    bringIn(70)
    const between = seedEndedRun(store, mailbox)
    use(20)
    bringIn(75)
    use(6)
    const next = seedSession(store, seedRun(store, mailbox))
    expect(store.sessions.usedEarlier(next, 'a', 1).inputTokens).toBe(81)
    expect(store.sessions.usedEarlier(between, 'a', 1).inputTokens).toBe(70)
    const elsewhere = seedEndedRun(store, seedMailbox(store, 3), { nativeSessionId: 'a' })
    store.sessions.noteUsed(elsewhere.id, { start: 0, nativeSessionId: 'a', inputTokens: 5 }, 1)
    expect(store.sessions.usedEarlier(next, 'a', 1).inputTokens).toBe(81)
  })

  it('is spent when it was told, not when the session began', () => {
    const { projectId } = store.mailboxes.get(mailbox)
    const { id } = seedSession(store, seedRun(store, mailbox))
    const midnight = 40 * quarter
    store.sessions.noteUsed(id, { start: 1, nativeSessionId: null, costUsd: 0.5 }, midnight - 1)
    store.sessions.noteUsed(id, { start: 1, nativeSessionId: null, costUsd: 0.75 }, midnight + 1)
    store.sessions.noteUsed(id, { start: 2, nativeSessionId: null, costUsd: 0.5 }, midnight + 2)
    store.sessions.noteUsed(id, { start: 2, nativeSessionId: null, costUsd: 1.5 }, midnight + quarter)
    expect(store.sessions.spendingsOf(id)).toEqual([
      { sessionId: id, at: midnight - quarter, costUsd: 0.5 },
      { sessionId: id, at: midnight, costUsd: 0.75 },
      { sessionId: id, at: midnight + quarter, costUsd: 1 },
    ])
    expect(store.sessions.costSince(0).knownUsd).toBe(2.25)
    expect(store.sessions.costSince(midnight)).toEqual({ knownUsd: 1.75, unknown: 0 })
    expect(store.sessions.costSince(midnight, [projectId])).toEqual({ knownUsd: 1.75, unknown: 0 })
    expect(store.sessions.costSince(midnight, [])).toEqual({ knownUsd: 0, unknown: 0 })
  })

  it('is counted as unknown where nobody told it, on each day that the session began or ended', () => {
    const { projectId } = store.mailboxes.get(mailbox)
    seedEndedRun(store, mailbox, { createdAt: 5, endedAt: 8 })
    seedEndedRun(store, mailbox, { createdAt: 5, endedAt: 10 })
    seedEndedRun(store, mailbox, { createdAt: 9, endedAt: 10 })
    seedEndedRun(store, mailbox, { createdAt: 9, endedAt: 10, costUsd: 1 })
    expect(store.sessions.costSince(9).unknown).toBe(2)
    expect(store.sessions.costSince(9, [projectId]).unknown).toBe(2)
    expect(store.sessions.costSince(9, []).unknown).toBe(0)
  })
})
