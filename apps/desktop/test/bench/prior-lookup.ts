import type { PriorSession } from '@shared/model/records'
import type { MailboxId } from '@shared/model/ids'
import { openTestStore } from '../fakes/open-test-store'
import { seedStore } from '../fakes/seed-store'
import { alone, quantile, timeCalls, type BenchRow } from './figures'

const sessions = 1_000_000

/** What every run asks before it starts, among a million sessions: the prior ids of its mailbox, of its CLI and of any. */
export function benchPriorLookup(): readonly BenchRow[] {
  const { store, remove } = openTestStore()
  try {
    const { mailboxIds } = seedStore(store, { mailboxes: 5_000, runs: sessions / 4, attempts: 4, events: 0 })
    const timed = (name: string, find: (mailboxId: MailboxId) => PriorSession | null): BenchRow => {
      const taken = timeCalls(20_000, (index) => {
        // a prime stride, so that neighbours in time are not neighbours on disk
        const mailboxId = mailboxIds[(index * 7919) % mailboxIds.length]
        if (mailboxId === undefined || find(mailboxId) === null) throw new Error('no session was seeded')
      })
      return alone(`${name}, 1M sessions, p99`, quantile(taken, 0.99) * 1000, 'µs', 100)
    }
    return [
      timed('prior-id lookup', (mailboxId) => store.sessions.findPrior(mailboxId, 'claude-code', null)),
      timed('prior-id lookup of any adapter', (mailboxId) =>
        store.sessions.findPriorOfAnyAdapter(mailboxId, null),
      ),
    ]
  } finally {
    remove()
  }
}
