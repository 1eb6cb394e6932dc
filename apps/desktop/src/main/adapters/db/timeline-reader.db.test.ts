import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxId } from '@shared/model/ids'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun, seedSession } from '../../../../test/fakes/seed-mailbox'
import type { TimelineReader } from '../../ports/timeline-reader'
import { createTimelineReader } from './timeline-reader'

let opened: TestStore
let mailboxId: MailboxId
let reader: TimelineReader
beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
  reader = createTimelineReader(opened.db)
})
afterEach(() => opened.remove())

describe('the timeline', () => {
  it('comes in pages, oldest first within each, that join without a gap', () => {
    const other = seedMailbox(opened.store, 2)
    const ids = Array.from({ length: 7 }, () => {
      seedEndedRun(opened.store, other)
      return seedEndedRun(opened.store, mailboxId).runId
    })
    const newest = reader.page(mailboxId, null, 3).map(({ run }) => run.id)
    const before = reader.page(mailboxId, newest[0] ?? null, 3).map(({ run }) => run.id)
    expect([...before, ...newest]).toEqual(ids.slice(1))
    expect(reader.countRuns(mailboxId)).toBe(7)
  })

  it('holds a run with all its attempts, and one that has none yet', () => {
    const run = seedRun(opened.store, mailboxId)
    expect(reader.one(run.id)).toMatchObject({ attempts: 0, sessions: [], imageDigest: null, push: null })
    seedSession(opened.store, run)
    const second = seedSession(opened.store, run)
    opened.store.runs.updateAttempt(second.attemptId, { imageDigest: 'sha256:2' })
    expect(reader.one(run.id)).toMatchObject({ attempts: 2, imageDigest: 'sha256:2' })
    expect(reader.one(run.id)?.sessions).toHaveLength(2)
  })

  it('lists memories in the order in which they appeared, with their first and last run', () => {
    const other = seedMailbox(opened.store, 2)
    const runs = ['zz', 'aa', 'zz', null, 'mm', 'aa'].map((nativeSessionId) => {
      seedEndedRun(opened.store, other, { nativeSessionId: 'other' })
      return seedEndedRun(opened.store, mailboxId, { nativeSessionId }).runId
    })
    expect(reader.memories(mailboxId)).toEqual([
      { adapter: 'demo', nativeSessionId: 'zz', firstRunId: runs[0], lastRunId: runs[2] },
      { adapter: 'demo', nativeSessionId: 'aa', firstRunId: runs[1], lastRunId: runs[5] },
      { adapter: 'demo', nativeSessionId: 'mm', firstRunId: runs[4], lastRunId: runs[4] },
    ])
    expect(reader.runsOfMemory(mailboxId, 'demo', 'aa', 10)).toEqual([runs[1], runs[5]])
  })

  it('keeps the same id of two adapters apart: each is a memory of its own', () => {
    const [first, second, third] = (['codex', 'demo', 'codex'] as const).map(
      (adapter) => seedEndedRun(opened.store, mailboxId, { adapter, nativeSessionId: 'same' }).runId,
    )
    expect(reader.memories(mailboxId)).toEqual([
      { adapter: 'codex', nativeSessionId: 'same', firstRunId: first, lastRunId: third },
      { adapter: 'demo', nativeSessionId: 'same', firstRunId: second, lastRunId: second },
    ])
    expect(reader.runsOfMemory(mailboxId, 'codex', 'same', 10)).toEqual([first, third])
  })

  it('has no memories where no CLI told an id', () => {
    seedEndedRun(opened.store, mailboxId)
    expect(reader.memories(mailboxId)).toEqual([])
  })

  it('knows where the push of a run stands', () => {
    const { runId } = seedEndedRun(opened.store, mailboxId)
    opened.store.outbox.add({
      key: 'k',
      kind: 'push',
      mailboxId,
      runId,
      target: 'branch x',
      payload: {},
      at: 1,
    })
    expect(reader.one(runId)?.push).toBe('waiting')
  })
})
