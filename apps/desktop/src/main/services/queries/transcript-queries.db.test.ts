import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTimelineReader } from '@main/adapters/db/timeline-reader'
import { createTranscriptSearch } from '@main/adapters/db/transcript-search'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { seedMailbox, seedRun } from '../../../../test/fakes/seed-mailbox'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createTranscriptQueries } from './transcript-queries'

let test: TestStore
beforeEach(() => {
  test = openTestStore()
})
afterEach(() => test.remove())

it('says of a hit where it is: issue, run, event, and whether the run remembered', () => {
  const { store, db } = test
  const run = seedRun(store, seedMailbox(store, 7))
  store.events.append(run.id, [
    { at: 5, kind: 'text', payload: { text: 'nothing here' } },
    {
      at: 6,
      kind: 'tool',
      payload: { name: 'Bash', summary: 'grep -rn Retry-After', input: '', callId: null },
    },
  ])
  const transcripts = createTranscriptSearch(db)
  transcripts.indexNext(10)
  const parts = { store, timeline: createTimelineReader(db), transcripts, clock: createSettableClock(0) }
  const found = createTranscriptQueries(parts).search('retry-after', 10)
  expect(found).toMatchObject({ total: 1, isTotalCut: false })
  expect(found.hits).toMatchObject([
    {
      row: { runId: run.id, phase: run.phase },
      seq: 2,
      at: 6,
      kind: 'tool',
      excerpt: 'Bash grep -rn Retry-After',
      mailboxKind: 'issue',
      iid: 7,
      forgeKind: 'local',
    },
  ])
  expect(createTranscriptQueries(parts).search(' - ', 10)).toMatchObject({ hits: [], total: 0 })
})
