import type { RunId } from '@shared/model/ids'
import type { Mailbox, Run } from '@shared/model/records'
import type { OutboxItem, Store } from '../../ports/stores'
import type { RunRequestError } from './ports-of-workflow'
import { isHeldTalk, talkUnderWay, unpushedTalk } from './unpushed-talk'

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
  const pushes = store.outbox
    .listByMailbox(mailbox.id)
    .filter((item) => item.kind === 'push' && !isHeldTalk(store, item))
  // Commits of a talk that lay on top may have been decided against.
  return pushes.findLast(({ state }) => state !== 'failed') ?? pushes.at(-1) ?? null
}

/** Why no phase run can begin; null: no push is in its way. */
export function pushInTheWay(store: Store, mailbox: Mailbox): RunRequestError | null {
  if (runOfWaitingPush(store, mailbox) !== null) return pushWaits
  return talkUnderWay(store, mailbox.id) === null ? null : pushIsUnderWay
}

const pushWaits: RunRequestError = {
  type: 'push_waits',
  message:
    'A push of this issue waits for you: look at it, then push it, go on without it or discard it ("alfred issue push", or in the window).',
}

const pushIsUnderWay: RunRequestError = {
  type: 'push_waits',
  message: 'Commits of a chat are on their way to the forge. A run can begin once they are there.',
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
