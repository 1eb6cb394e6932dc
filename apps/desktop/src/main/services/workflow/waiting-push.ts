import type { Mailbox, Run } from '@shared/model/records'
import type { Store } from '../../ports/stores'

/**
 * What is pushed for a run: its last commit, else the one that it began with, which earlier runs may have left
 * unpushed.
 */
export const headOfPush = (run: Run): string | null => run.headSha ?? run.baseSha

/** The run whose push waits for a person to look at it; null when none does. */
export function runOfWaitingPush(store: Store, mailbox: Mailbox): Run | null {
  if (mailbox.needsYou !== 'push_needs_person') return null
  const push = store.outbox.listByMailbox(mailbox.id).findLast(({ kind }) => kind === 'push')
  const runId = push?.runId ?? null
  return runId === null ? null : store.runs.get(runId)
}
