import type { MailboxId, RunId } from '@shared/model/ids'
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
export function unpushedTalk(store: Store, mailboxId: MailboxId): OutboxItem | null {
  const push = pushesOfTalks(store, mailboxId).at(-1)
  return push?.state === 'dropped' ? push : null
}

/** The push that a person agreed to and that has not ended yet; null: there is none. */
export const talkUnderWay = (store: Store, mailboxId: MailboxId): OutboxItem | null =>
  pushesOfTalks(store, mailboxId).findLast(({ state }) => state === 'waiting' || state === 'sending') ?? null

const pushesOfTalks = (store: Store, mailboxId: MailboxId): readonly OutboxItem[] =>
  store.outbox.listByMailbox(mailboxId).filter((item) => item.kind === 'push' && isOfTalk(store, item))

/** Whether it was posted for a turn of a chat, or for a terminal. */
export const isOfTalk = ({ runs }: Store, { runId }: OutboxItem): boolean =>
  runId !== null && isTalk(runs.get(runId).phase)

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
export const goOnWithoutTalk = (store: Store, mailbox: Mailbox): readonly WorkflowCommand[] => [
  { type: 'update_mailbox', change: { needsYou: needsYouBelow(store, mailbox) } },
  ...takeWaitingRun(store, mailbox.id),
]

/** An earlier push of a phase run may wait below the commits of a talk. */
function needsYouBelow(store: Store, mailbox: Mailbox): NeedsYou | null {
  const below = store.outbox
    .listByMailbox(mailbox.id)
    .findLast((item) => item.kind === 'push' && item.state !== 'failed' && !isHeldTalk(store, item))
  return below?.state === 'dropped' && mailbox.status === 'in_development'
    ? 'push_needs_person'
    : needsYouAt(mailbox.status)
}

/** The push of an earlier turn stays so: a later one took its commits along. */
export const isHeldTalk = (store: Store, item: OutboxItem): boolean =>
  item.state === 'dropped' && isOfTalk(store, item)

/**
 * The phase run that waits for what becomes of the commits of talks; from now on it does not. It was noted with the turn
 * whose push was held then, and further turns may have committed since.
 */
export function takeWaitingRun(store: Store, mailboxId: MailboxId): readonly WorkflowCommand[] {
  const turns = pushesOfTalks(store, mailboxId).flatMap(({ runId }) => runId ?? [])
  const waiting = turns.map((runId) => store.runs.successorOf(runId)).findLast((noted) => noted !== null)
  for (const runId of turns) store.runs.setSuccessor(runId, null)
  const { isOpen, status } = store.mailboxes.get(mailboxId)
  // An issue that was closed or is done meanwhile is worked on no more.
  if (waiting === undefined || waiting === null || !isOpen || status === 'done') return []
  return [{ type: 'request_run', ...waiting }]
}

/**
 * The commits were removed with all else of the mailbox: they are pushed no more, nobody is asked about them, and nothing
 * waits for them.
 */
export function forgetTalk(store: Store, mailboxId: MailboxId, lastError: string, at: number): void {
  const held = unpushedTalk(store, mailboxId)
  const gone = pushesOfTalks(store, mailboxId).filter(
    ({ id, state }) => id === held?.id || state === 'waiting',
  )
  const turns = new Set(gone.map(({ runId }) => runId))
  for (const { id, runId, state } of store.outbox.listByMailbox(mailboxId))
    if (id === held?.id || (state === 'waiting' && turns.has(runId)))
      store.outbox.update(id, { state: 'failed', lastError })
  if (gone.length > 0) takeWaitingRun(store, mailboxId)
  if (held === null) return
  const { status } = store.mailboxes.get(mailboxId)
  store.mailboxes.update(mailboxId, { needsYou: needsYouAt(status) }, at)
}

/** Lets a run that cannot begin wait for a talk; false: it is no talk that it would have to wait for. */
export function waitsForTalk(store: Store, request: RunRequest, error: RunRequestError): boolean {
  const runId = talkInTheWay(store, request, error)
  if (runId === null) return false
  const { phase, trigger, requestedBy, resumeChoice } = request
  const waiting = { phase, trigger, requestedBy, resumeChoice }
  // A terminal for which a person takes the talk over goes before.
  const noted = store.runs.successorOf(runId)
  store.runs.setSuccessor(runId, noted?.terminal === undefined ? waiting : { ...noted, behind: waiting })
  return true
}

function talkInTheWay(store: Store, { mailboxId }: RunRequest, error: RunRequestError): RunId | null {
  if (error.type === 'push_waits')
    return (unpushedTalk(store, mailboxId) ?? talkUnderWay(store, mailboxId))?.runId ?? null
  if (error.type !== 'already_running') return null
  const live = store.runs.find(error.runId)
  return live !== null && isTalk(live.phase) ? live.id : null
}
