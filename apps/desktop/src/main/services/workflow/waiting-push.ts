import type { Mailbox, Run } from '@shared/model/records'
import type { OutboxItem, Store } from '../../ports/stores'

/**
 * What is pushed for a run: its last commit, else the one that it began with, which earlier runs may have left
 * unpushed.
 */
export const headOfPush = (run: Run): string | null => run.headSha ?? run.baseSha

/** The run whose push waits for a person to look at it; null when none does. */
export function runOfWaitingPush(store: Store, mailbox: Mailbox): Run | null {
  const runId = waitingPost(store, mailbox)?.runId ?? null
  return runId === null ? null : store.runs.get(runId)
}

/** What is told of a push that a person decided against, and by what it is known again. */
const against = {
  discarded: ' discarded these commits.',
  leftOut: ' went on without these commits.',
} as const

export const discardedBy = (who: string): string => `${who}${against.discarded}`
export const leftOutBy = (who: string): string => `${who}${against.leftOut}`

/** Whether nothing failed: a person did not want it pushed. */
export const isDecidedAgainst = ({ kind, state, lastError }: OutboxItem): boolean =>
  kind === 'push' &&
  state === 'failed' &&
  Object.values(against).some((words) => lastError?.includes(words) === true)

/** That push in the outbox; it was dropped there when it asked for a person. */
export function waitingPost(store: Store, mailbox: Mailbox): OutboxItem | null {
  if (mailbox.needsYou !== 'push_needs_person') return null
  return store.outbox.listByMailbox(mailbox.id).findLast(({ kind }) => kind === 'push') ?? null
}
