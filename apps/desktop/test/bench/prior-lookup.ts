import { openTestStore } from '../fakes/open-test-store'
import { seedStore } from '../fakes/seed-store'
import { alone, quantile, timeCalls, type BenchRow } from './figures'

const sessions = 1_000_000

/** What every run asks before it starts: the prior native id of its mailbox and adapter, among a million sessions. */
export function benchPriorLookup(): BenchRow {
  const { store, remove } = openTestStore()
  try {
    const { mailboxIds } = seedStore(store, { mailboxes: 5_000, runs: sessions / 4, attempts: 4, events: 0 })
    const taken = timeCalls(20_000, (index) => {
      // a prime stride, so that neighbours in time are not neighbours on disk
      const mailboxId = mailboxIds[(index * 7919) % mailboxIds.length]
      if (mailboxId === undefined) throw new Error('no mailbox was seeded')
      store.sessions.findPrior(mailboxId, 'claude-code', null)
    })
    return alone('prior-id lookup, 1M sessions, p99', quantile(taken, 0.99) * 1000, 'µs', 100)
  } finally {
    remove()
  }
}
