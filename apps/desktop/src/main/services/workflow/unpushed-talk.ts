import type { RunId } from '@shared/model/ids'
import type { Mailbox, Run } from '@shared/model/records'
import type { NeedsYou } from '@shared/model/words'
import { isTalk } from '../../core/run/talk'
import type { WorkflowCommand } from '../../core/workflow/commands'
import { postKey } from '../../core/workflow/markers'
import { needsYouAt } from '../../core/workflow/moves'
import type { OutboxItem, Store } from '../../ports/stores'
import { outboxPayloadSchema, type OutboxPayload } from './outbox-payload'
import type { RunRequest, RunRequestError } from './ports-of-workflow'
import { sha256, type WorkflowParts } from './workflow-parts'

/*
 * Commits of a chat or a terminal: nothing of them goes to the forge by itself. Their push stands in the outbox, held
 * back from the start, and phase runs of the issue wait until a person has decided what happens to it.
 */

/** The held push that nobody has decided about; null: there is none. */
export function unpushedTalk(store: Store, mailboxId: Mailbox['id']): OutboxItem | null {
  const push = store.outbox.listByMailbox(mailboxId).findLast(({ kind }) => kind === 'push')
  if (push?.state !== 'dropped' || push.runId === null) return null
  return isTalk(store.runs.get(push.runId).phase) ? push : null
}

/** Puts the push of a talk aside until a person has decided; in a transaction. */
export function holdPush(parts: WorkflowParts, mailbox: Mailbox, runId: RunId, cause: string): void {
  const { store, clock } = parts
  const at = clock.now()
  const payload: OutboxPayload = { type: 'push', approvedSha: null, isGoneKnown: false, cause }
  const key = postKey(sha256, { installId: store.installId(), mailboxId: mailbox.id, what: 'push', cause })
  const target = `branch ${mailbox.branchName ?? ''}`
  store.outbox.add({ key, kind: 'push', mailboxId: mailbox.id, runId, target, payload, at })
  const held = store.outbox.findByKey(key)
  if (held?.state !== 'waiting') return
  store.outbox.update(held.id, { state: 'dropped', lastError: 'It waits for a person: nothing was pushed.' })
  store.mailboxes.update(mailbox.id, { needsYou: 'unpushed_work' }, at)
}

/** What a person agreed to publish, and what was to be published before it and waits as well. */
export function publishTalk(
  store: Store,
  mailbox: Mailbox,
  run: Run,
  headSha: string,
): readonly WorkflowCommand[] {
  const { id: runId } = run
  // The same head may be pushed once more, after the forge has refused it.
  const tries = store.outbox.listByRun(runId).filter(({ kind }) => kind === 'push').length
  const cause = `${run.uid}:approved:${headSha}:${tries}`
  const change = store.outbox.listByMailbox(mailbox.id).findLast(({ kind }) => kind === 'change')
  const payload = outboxPayloadSchema.safeParse(change?.payload)
  const summary = payload.success && payload.data.type === 'change' ? payload.data.summary : null
  return [
    { type: 'push', runId, cause, approvedSha: headSha, isGoneKnown: tries > 1 },
    ...(change?.state === 'dropped'
      ? ([
          { type: 'open_change', runId, cause, summary },
          { type: 'tell_change', runId, cause },
        ] as const)
      : []),
    { type: 'update_mailbox', change: { needsYou: needsYouAt(mailbox.status) } },
  ]
}

/** A person decided against it: what waited for that goes on. */
export const goOnWithoutTalk = (store: Store, mailbox: Mailbox, run: Run): readonly WorkflowCommand[] => [
  { type: 'update_mailbox', change: { needsYou: needsYouBelow(store, mailbox) } },
  ...takeWaitingRun(store, run.id),
]

/** An earlier push of a phase run may wait below the commits of a talk. */
function needsYouBelow(store: Store, mailbox: Mailbox): NeedsYou | null {
  const below = store.outbox
    .listByMailbox(mailbox.id)
    .findLast(({ kind, state }) => kind === 'push' && state !== 'failed')
  return below?.state === 'dropped' && mailbox.status === 'in_development'
    ? 'push_needs_person'
    : needsYouAt(mailbox.status)
}

/** The phase run that waits for the end of a talk, or for what becomes of its commits; from now on it does not. */
export function takeWaitingRun(store: Store, runId: RunId): readonly WorkflowCommand[] {
  const waiting = store.runs.successorOf(runId)
  if (waiting === null) return []
  store.runs.setSuccessor(runId, null)
  const { phase, trigger, requestedBy } = waiting
  return [{ type: 'request_run', phase, trigger, requestedBy }]
}

/** Lets a run that cannot begin wait for a talk; false: it is no talk that it would have to wait for. */
export function waitsForTalk(store: Store, request: RunRequest, error: RunRequestError): boolean {
  const runId = talkInTheWay(store, request, error)
  if (runId === null) return false
  const { phase, trigger, requestedBy, resumeChoice } = request
  store.runs.setSuccessor(runId, { phase, trigger, requestedBy, resumeChoice })
  return true
}

function talkInTheWay(store: Store, { mailboxId }: RunRequest, error: RunRequestError): RunId | null {
  if (error.type === 'push_waits') return unpushedTalk(store, mailboxId)?.runId ?? null
  if (error.type !== 'already_running') return null
  const live = store.runs.find(error.runId)
  return live !== null && isTalk(live.phase) ? live.id : null
}
