import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MailboxRow } from '@shared/contract/mailboxes'
import type { MailboxId } from '@shared/model/ids'
import { ok } from '@shared/result'
import { openTestStore, type TestStore } from '../../../test/fakes/open-test-store'
import { seedStore } from '../../../test/fakes/seed-store'
import { createTimelineReader } from '../adapters/db/timeline-reader'
import { createMailboxHandlers, type MailboxHandlerParts } from './mailbox-handlers'
import { createSessionHandlers } from './session-handlers'

let test: TestStore
beforeEach(() => {
  test = openTestStore()
})
afterEach(() => test.remove())

const input = { filter: 'all-open', projectId: null, text: null, limit: 40, before: null } as const

function handlers(rows: readonly { readonly id: MailboxId }[], missing = false) {
  const sessions = { store: test.store, timeline: createTimelineReader(test.db) }
  const queries: Partial<MailboxHandlerParts['queries']> = {
    list: () => ({ rows: rows as unknown as MailboxRow[], hasMore: false }),
    get: async (mailboxId) => (missing ? null : ({ id: mailboxId } as never)),
  }
  const parts = { queries, sessions, personLogin: 'you' } as unknown as MailboxHandlerParts
  return {
    mailboxes: createMailboxHandlers(parts),
    sessions: createSessionHandlers({ ...sessions, byHand: {} as never }),
  }
}

describe('home', () => {
  it('is the list, and of its first row what the mailbox and its timeline answer by themselves', async () => {
    seedStore(test.store, { mailboxes: 2, runs: 10, attempts: 1, events: 0 })
    const id = 2 as MailboxId
    const { mailboxes, sessions } = handlers([{ id }, { id: 1 as MailboxId }])
    const timeline = await sessions.timeline({ mailboxId: id, beforeRunId: null, limit: 3 })
    expect(await mailboxes.home({ list: input, sessions: 3 })).toEqual(
      ok({
        list: { rows: [{ id }, { id: 1 }], hasMore: false },
        first: { mailbox: { id }, timeline: timeline.ok && timeline.value },
      }),
    )
    expect(timeline).toMatchObject({ value: { hasEarlier: true, total: 5, rows: [{}, {}, {}] } })
  })

  it('has no first mailbox where the list is empty, or where it went away meanwhile', async () => {
    const list = { rows: [], hasMore: false }
    expect(await handlers([]).mailboxes.home({ list: input, sessions: 3 })).toEqual(ok({ list, first: null }))
    const gone = await handlers([{ id: 7 as MailboxId }], true).mailboxes.home({ list: input, sessions: 3 })
    expect(gone).toMatchObject({ value: { first: null } })
  })
})
