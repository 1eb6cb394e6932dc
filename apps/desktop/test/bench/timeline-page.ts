import { createTimelineReader } from '@main/adapters/db/timeline-reader'
import type { RunId } from '@shared/model/ids'
import { openTestStore } from '../fakes/open-test-store'
import { seedStore } from '../fakes/seed-store'
import { alone, quantile, timeCalls, type BenchRow } from './figures'

const pageRows = 100

/** Pages of the timeline, newest and older ones, of issues with 500 runs in a database of 100,000. */
export function benchTimelinePage(): BenchRow {
  const { store, db, remove } = openTestStore()
  try {
    const { mailboxIds } = seedStore(store, { mailboxes: 200, runs: 100_000, attempts: 1, events: 0 })
    const reader = createTimelineReader(db)
    let before: RunId | null = null
    const taken = timeCalls(2_000, (index) => {
      const mailboxId = mailboxIds[Math.floor(index / 5) % mailboxIds.length]
      if (mailboxId === undefined) throw new Error('no mailbox was seeded')
      if (index % 5 === 0) before = null
      const page = reader.page(mailboxId, before, pageRows)
      reader.countRuns(mailboxId)
      reader.memories(mailboxId)
      before = page[0]?.run.id ?? null
      if (page.length !== pageRows) throw new Error(`a page of ${page.length} rows was measured`)
    })
    return alone('timeline page of 100 rows, 100k runs, p99', quantile(taken, 0.99), 'ms', 5)
  } finally {
    remove()
  }
}
