import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readRunRecords } from '@main/adapters/run-folder/read-run-records'
import { createRunFolders } from '@main/adapters/run-folder/run-folders'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedEndedRun, seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createDataPaths } from './data-paths'
import { followUpRun } from './follow-up-run'
import type { RunParts } from './run-parts'

let opened: TestStore
beforeEach(() => void (opened = openTestStore()))
afterEach(() => opened.remove())

const parts = () =>
  ({
    store: opened.store,
    clock: createSettableClock(1_000),
    paths: createDataPaths(opened.folder),
    folders: createRunFolders(),
    terminals: { end: () => undefined },
    onSettled: () => undefined,
    listener: { afterRunEnded: () => undefined },
  }) as unknown as RunParts

const written = async () => (await readRunRecords(join(opened.folder, 'runs'))).records

it('a turn of a chat that ended before anything began is in its folder too, with what was said', async () => {
  const { store } = opened
  const { mailboxId, id: anchorSessionId } = seedEndedRun(store, seedMailbox(store, 1), {})
  const chat = { mailboxId, adapter: 'demo', title: 'Why?', anchorSessionId, isFresh: false } as const
  const { id: threadId } = store.chats.addThread(chat, 25)
  const { id: runId } = seedRun(store, mailboxId, { phase: 'chat', chatThread: threadId })
  store.chats.addMessage({ threadId, runId, role: 'person', state: 'draft', text: 'Why?', createdAt: 30 })
  store.runs.update(runId, { state: 'ended', outcome: 'failed', endedAt: 40 })
  await followUpRun(parts(), runId, new AbortController().signal)
  expect(await written()).toMatchObject([
    { run: { id: runId }, talk: { messages: [{ role: 'person', state: 'draft', text: 'Why?' }] } },
  ])
})

it('of another run that never began there is nothing to keep', async () => {
  const { id: runId } = seedRun(opened.store, seedMailbox(opened.store, 1))
  opened.store.runs.update(runId, { state: 'ended', outcome: 'stopped', endedAt: 40 })
  await followUpRun(parts(), runId, new AbortController().signal)
  expect(await written()).toEqual([])
})
