import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox } from '../../../../test/fakes/seed-mailbox'
import type { RunContext } from './run-context'
import { settleSetAside } from './session-after-run'

let opened: TestStore
let mailboxId: ReturnType<typeof seedMailbox>
let context: RunContext
beforeEach(() => {
  opened = openTestStore()
  mailboxId = seedMailbox(opened.store)
  context = { mailbox: opened.store.mailboxes.get(mailboxId), adapter: { id: 'demo' } } as RunContext
})
afterEach(() => opened.remove())

const setAside = () => opened.store.sessions.findSetAside(mailboxId, 'demo', 'old-id')
const settle = (row: Parameters<typeof seedEndedRun>[2]): void =>
  settleSetAside(
    opened.store,
    context,
    seedEndedRun(opened.store, mailboxId, { requestedSessionId: 'old-id', ...row }),
    50,
  )

it('sets an id aside that was found missing twice, though no start tried it', () => {
  settle({ mode: 'fresh', resumeFallback: 'state_missing', nativeSessionId: null })
  expect(setAside()).toBeNull()
  settle({ mode: 'fresh', resumeFallback: 'state_missing', nativeSessionId: null })
  expect(setAside()).toBe('state_missing')
})

it('counts a start that tried it together with a look that did not find it', () => {
  settle({ mode: 'resume', resumeFallback: 'refused' })
  settle({ mode: 'fresh', resumeFallback: 'state_missing' })
  expect(setAside()).toBe('state_missing')
})

it('takes it back into use once it resumed', () => {
  settle({ mode: 'resume', resumeFallback: 'refused' })
  settle({ mode: 'resume', resumeFallback: 'refused' })
  settle({ mode: 'resume', resumed: true, nativeSessionId: 'old-id' })
  expect(setAside()).toBeNull()
})
