import { statSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createCheckpoints, type Checkpoints } from './checkpoints'
import { createRunEventStore } from './run-event-store'
import { findNativeBinding } from './native-binding'

const nativeBinding = findNativeBinding(process.env, undefined)
const times = { everyBytes: 1_000_000, idleMs: 20 }

let opened: TestStore
let run: RunId
let checkpoints: Checkpoints
let lost: unknown
const onLost = (why: unknown): void => void (lost = why)

beforeEach(() => {
  lost = undefined
  opened = openTestStore()
  run = seedRun(opened.store, seedMailbox(opened.store)).id
  opened.db.pragma('wal_autocheckpoint = 0')
})
afterEach(() => {
  checkpoints.end()
  opened.remove()
})

const fileBytes = (): number => statSync(opened.file).size
const pagesAlone = (): unknown => opened.db.pragma('wal_autocheckpoint', { simple: true })
const megabyteOfEvents = Array.from(
  { length: 1_000 },
  () => ({ at: 1, kind: 'text', payload: { text: 'x'.repeat(1_000) } }) as const,
)

it('what was stored comes into the file while the writer goes on, and SQLite does it again once that is over', async () => {
  checkpoints = createCheckpoints(opened.db, nativeBinding, onLost, times)
  const events = createRunEventStore(opened.db, checkpoints)
  const before = fileBytes()
  for (let megabytes = 0; megabytes < 3; megabytes += 1) events.append(run, megabyteOfEvents)
  await vi.waitFor(() => expect(fileBytes()).toBeGreaterThan(before + 3_000_000), { timeout: 15_000 })
  await vi.waitFor(() => expect(pagesAlone()).toBe(1_000), { timeout: 15_000 })
  expect(events.count(run)).toBe(3_000)
  expect(lost).toBeUndefined()
})

it('a little is left to SQLite', () => {
  checkpoints = createCheckpoints(opened.db, nativeBinding, onLost, times)
  createRunEventStore(opened.db, checkpoints).append(run, megabyteOfEvents.slice(0, 900))
  expect(pagesAlone()).toBe(0)
})

it('where no such thread can work, SQLite does it as ever', async () => {
  checkpoints = createCheckpoints(opened.db, '/nowhere/better_sqlite3.node', onLost, times)
  const events = createRunEventStore(opened.db, checkpoints)
  events.append(run, megabyteOfEvents)
  await vi.waitFor(() => expect(pagesAlone()).toBe(1_000), { timeout: 15_000 })
  events.append(run, megabyteOfEvents)
  expect([events.count(run), pagesAlone()]).toEqual([2_000, 1_000])
  await vi.waitFor(() => expect(String(lost)).toContain('/nowhere/better_sqlite3.node'))
})
