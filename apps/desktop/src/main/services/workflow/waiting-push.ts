import type { RunId } from '@shared/model/ids'
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

/** That push in the outbox; it was dropped there when it asked for a person. */
export function waitingPost(store: Store, mailbox: Mailbox): OutboxItem | null {
  if (mailbox.needsYou !== 'push_needs_person') return null
  return store.outbox.listByMailbox(mailbox.id).findLast(({ kind }) => kind === 'push') ?? null
}

/** What a person answered, as it is audited with the run whose push waited. */
export type AnswerToPush = 'push_approved' | 'push_left_out' | 'push_discarded'

const declining: ReadonlySet<string> = new Set<AnswerToPush>(['push_left_out', 'push_discarded'])

/** Of what was posted for a run, the push that a person decided against: it is `failed`, and nothing failed. */
export function declinedPost(store: Store, runId: RunId, posts: readonly OutboxItem[]): OutboxItem | null {
  // Nothing publishes it again, so it is the last.
  const push = posts.findLast(({ kind }) => kind === 'push')
  if (push?.state !== 'failed') return null
  return store.audit.listByRun(runId).some(({ what }) => declining.has(what)) ? push : null
}
