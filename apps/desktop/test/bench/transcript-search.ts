import { createTranscriptSearch } from '@main/adapters/db/transcript-search'
import { openTestStore } from '../fakes/open-test-store'
import { seedStore } from '../fakes/seed-store'
import { alone, quantile, timeCalls, type BenchRow } from './figures'

const events = 1_000_000
const page = 20

/** Words that are rare, in a third of all events, in all of them, and beginnings of words. */
const queries: readonly (readonly string[])[] = [
  ['run', '731'],
  ['event', '17', 'crane'],
  ['crates', 'pier', 'thursday'],
  ['repaired', 'unt'],
  ['cr'],
  ['nowhere'],
]

/** The words of a million events, each time those that a palette shows and how many there are. */
export function benchTranscriptSearch(): BenchRow {
  const { store, db, remove } = openTestStore()
  try {
    seedStore(store, { mailboxes: 200, runs: 10_000, attempts: 1, events })
    const search = createTranscriptSearch(db)
    let indexed = 0
    for (let taken = search.indexNext(5_000); taken > 0; taken = search.indexNext(5_000)) indexed += taken
    if (indexed !== events) throw new Error(`${indexed} events were indexed`)
    const taken = timeCalls(300, (index) => {
      const words = queries[index % queries.length] ?? []
      const { events: found } = search.find(words, page)
      if (words[0] !== 'nowhere' && found.length === 0) throw new Error(`${words.join(' ')} was not found`)
    })
    return alone('full-text search over 1M events, p99', quantile(taken, 0.99), 'ms', 200)
  } finally {
    remove()
  }
}
