import type { RunId } from '@shared/model/ids'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'

const patienceMs = 90_000
const lookAgainMs = 100

/** A stop takes up to 10 s, and its container must be gone; whether it is, only its rows say. False: it is not over. */
export async function untilOver(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  runId: RunId,
): Promise<boolean> {
  const endsAt = clock.monotonic() + patienceMs
  for (;;) {
    const run = store.runs.get(runId)
    if (run.state === 'ended' && store.locks.find(run.mailboxId)?.runId !== runId) return true
    if (clock.monotonic() >= endsAt) return false
    await clock.sleep(lookAgainMs)
  }
}
