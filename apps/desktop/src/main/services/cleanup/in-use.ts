import type { MailboxId, RunId } from '@shared/model/ids'
import type { Store } from '../../ports/stores'

export interface InUse {
  readonly type: 'running'
  readonly runId: RunId
}

/** By a run that has not ended, or whose container still holds the lock. */
export function userOf(store: Store, id: MailboxId): InUse | null {
  const runId = store.runs.findLive(id)?.id ?? store.locks.find(id)?.runId
  return runId === undefined ? null : { type: 'running', runId }
}

/** Another one afterwards means that the work which was looked at is not the work that is there. */
export const lastSeen = (store: Store, id: MailboxId): string =>
  `${store.runs.latest(id)?.id ?? 0} ${store.mailboxes.get(id).closedAt ?? 'open'}`
