import { afterEach, beforeEach, expect, it } from 'vitest'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox } from '../../../../test/fakes/seed-mailbox'
import { err } from '@shared/result'
import type { Forge } from '../../ports/forge'
import { createSettingReader } from '../settings/setting-values'
import { createMailboxQueries } from './mailbox-queries'
import type { QueryParts } from './query-parts'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

/** A forge that does not answer: what the database knows is told. */
const silent = { readIssue: () => Promise.resolve(err({ type: 'unreachable' })) } as unknown as Forge

it('says beforehand how long a terminal of the project may stay open', async () => {
  const { store } = opened
  const mailboxId = seedMailbox(store)
  const queries = createMailboxQueries({
    store,
    settings: createSettingReader(store),
    adapters: adaptersNamed('demo'),
    forgeOf: () => silent,
    allowsDemonstration: true,
    nextPollAt: () => null,
  } as unknown as QueryParts)
  expect(await queries.get(mailboxId)).toMatchObject({ terminalLimitMs: 8 * 3_600_000 })
  const { projectId } = store.mailboxes.get(mailboxId)
  store.settings.set('project', projectId, 'TERMINAL_LIMIT', 60_000, 1)
  expect(await queries.get(mailboxId)).toMatchObject({ terminalLimitMs: 60_000 })
})
