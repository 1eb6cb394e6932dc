import type { RunId } from '@shared/model/ids'
import type { Mailbox, Run } from '@shared/model/records'
import type { OutboxItem, Store } from '../../ports/stores'
import { unpushedTalk } from './unpushed-talk'

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
  const ofTalk = unpushedTalk(store, mailbox.id)
  if (ofTalk !== null || mailbox.needsYou !== 'push_needs_person') return ofTalk
  const pushes = store.outbox.listByMailbox(mailbox.id).filter(({ kind }) => kind === 'push')
  // Commits of a talk that lay on top may have been decided against.
  return pushes.findLast(({ state }) => state !== 'failed') ?? pushes.at(-1) ?? null
}

/** What a person answered, as it is audited with the run whose push waited. */
export type AnswerToPush = 'push_approved' | 'push_left_out' | 'push_discarded'

const declining: ReadonlySet<string> = new Set<AnswerToPush>(['push_left_out', 'push_discarded'])

/** When a person decided against the push of a run; null: nobody has. */
export const declinedAt = (store: Pick<Store, 'audit'>, runId: RunId): number | null =>
  store.audit.listByRun(runId).findLast(({ what }) => declining.has(what))?.at ?? null

/** Of what was posted for a run, the push that a person decided against: it is `failed`, and nothing failed. */
export function declinedPost(store: Store, runId: RunId, posts: readonly OutboxItem[]): OutboxItem | null {
  // Nothing publishes it again, so it is the last.
  const push = posts.findLast(({ kind }) => kind === 'push')
  if (push?.state !== 'failed') return null
  return declinedAt(store, runId) === null ? null : push
}
