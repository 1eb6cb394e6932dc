import type { Mailbox } from '@shared/model/records'
import type { ProjectId } from '@shared/model/ids'
import type { NeedsYou } from '@shared/model/words'
import { assertPresent } from '@shared/assert'
import { refusalCause, type WhyRefused } from '../../core/workflow/refused-push'
import { pushFailedText } from '../../core/workflow/texts'
import { storageFailureOf, storageWords } from '../../ports/storage-failure'
import type { OutboxItem } from '../../ports/stores'
import type { WorkflowCommand } from '../../core/workflow/commands'
import { asksToValidate, holdBack, mayNotSend } from './hold-posts'
import { createKeyedQueue } from './keyed-queue'
import { deliverPost, type DeliveryError, type PostTarget } from './deliver-post'
import { storeCommands } from './store-commands'
import { isOfTalk, takeWaitingRun, unpushedTalk } from './unpushed-talk'
import type { WorkflowParts } from './workflow-parts'

/*
 * Sends the outbox: in order within a mailbox, mailboxes beside each other. Labels, state and assignment are read
 * again right before every post.
 */

export interface OutboxSender {
  /** Looks at the outbox soon. */
  wake(): void
  /** Sends all that is due now; for tests and for shutting down in order. */
  sendDue(signal: AbortSignal): Promise<void>
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
}

const LOOK_EVERY_MS = 5_000
const MAX_BACKOFF_MS = 10 * 60_000
/** A change that a forge does not let us open for this long will not open by itself. */
const MAX_ATTEMPTS = 12
const MAILBOXES_AT_ONCE = 8

/** `onIdle`: the mailbox has nothing more to send; what the forge says now may lead on. */
export function createOutboxSender(
  parts: WorkflowParts,
  onIdle: (projectId: ProjectId, iid: number) => void,
): OutboxSender {
  let waker = new AbortController()
  const wake = (): void => waker.abort()

  const oneAtATime = createKeyedQueue()
  const sendAllDue = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const due = parts.store.outbox.listDue(parts.clock.now(), MAILBOXES_AT_ONCE)
      if (due.length === 0) return
      await Promise.all(due.map((item) => sendOne(parts, item, signal, onIdle)))
    }
  }
  const sendDue = (signal: AbortSignal): Promise<void> => oneAtATime('outbox', () => sendAllDue(signal))
  return {
    wake,
    sendDue,
    async run(signal) {
      while (!signal.aborted) {
        waker = new AbortController()
        try {
          await sendDue(signal)
        } catch (error) {
          parts.logger.error('the outbox could not be sent', { error: String(error) })
        }
        await parts.clock.sleep(LOOK_EVERY_MS, AbortSignal.any([signal, waker.signal]))
      }
    },
  }
}

async function sendOne(
  parts: WorkflowParts,
  item: OutboxItem,
  signal: AbortSignal,
  onIdle: (projectId: ProjectId, iid: number) => void,
): Promise<void> {
  const { store, clock } = parts
  const mailbox = store.mailboxes.get(item.mailboxId)
  const project = store.forges.getProject(mailbox.projectId)
  const forge = parts.forgeOf(project)
  store.outbox.update(item.id, { state: 'sending', attempts: item.attempts + 1 })
  try {
    const readAt = clock.now()
    const snapshot = await forge.readIssue(project, mailbox.iid, mailbox.branchName)
    if (!snapshot.ok) return settleFailure(parts, item, mailbox, snapshot.error)
    if (mayNotSend(parts, project, mailbox, snapshot.value)) return holdBack(parts, item, snapshot.value)
    if (signal.aborted) return giveBack(parts, item)
    const asked = asksToValidate(parts, { item, mailbox, project, snapshot: snapshot.value, readAt })
    if (asked !== null) return waitForValidation(parts, item, mailbox, asked)
    const { accountId } = store.forges.getForge(project.forgeId)
    const target: PostTarget = { item, mailbox, project, forge, snapshot: snapshot.value, accountId, signal }
    const delivered = await deliverPost(parts, target)
    // What Alfred itself cut short says nothing about the post.
    if (!delivered.ok && signal.aborted) return giveBack(parts, item)
    if (!delivered.ok) return settleFailure(parts, item, mailbox, delivered.error)
    const { remoteId, postedSha256, changeIid } = delivered.value
    const hasNewRun = store.transaction(() => {
      const at = clock.now()
      store.outbox.update(item.id, { state: 'sent', sentAt: at, remoteId, postedSha256, lastError: null })
      if (changeIid !== undefined) store.mailboxes.update(mailbox.id, { changeIid }, at)
      if (!isPushOfTalk(parts, item)) return false
      // What waited for these commits begins with them.
      return storeCommands(parts, mailbox, takeWaitingRun(store, mailbox.id), null).hasNewRun
    })
    if (hasNewRun) parts.runs.kick()
  } catch (error) {
    // A defect must not stop the other mailboxes; this item waits and is tried again.
    parts.logger.error('a post could not be sent', { kind: item.kind, key: item.key, error: String(error) })
    const storage = storageFailureOf(error)
    const message = storage === null ? 'Something unexpected went wrong; see the log.' : storageWords(storage)
    retryLater(parts, item, { message })
  } finally {
    tell(parts, item, mailbox)
  }
  if (
    !store.outbox.listByMailbox(mailbox.id).some(({ state }) => state === 'waiting' || state === 'sending')
  ) {
    onIdle(mailbox.projectId, mailbox.iid)
  }
}

function tell({ changes }: WorkflowParts, item: OutboxItem, mailbox: Mailbox): void {
  if (item.runId !== null) changes.publish({ type: 'run', runId: item.runId, mailboxId: mailbox.id })
  changes.publish({ type: 'mailbox', mailboxId: mailbox.id, projectId: mailbox.projectId })
  changes.publish({ type: 'issue', projectId: mailbox.projectId, iid: mailbox.iid })
}

const isRetryable = (error: DeliveryError): boolean =>
  'retryable' in error ? error.retryable || error.type === 'unauthorized' : error.type === 'unreachable'

function settleFailure(parts: WorkflowParts, item: OutboxItem, mailbox: Mailbox, error: DeliveryError): void {
  if (isRetryable(error) && !(item.kind === 'change' && item.attempts + 1 >= MAX_ATTEMPTS)) {
    return retryLater(parts, item, error)
  }
  parts.store.transaction(() => {
    const message = parts.redact(error.message)
    const isAsked = error.type === 'needs_person' || isPushOfTalk(parts, item)
    const state = isAsked || error.type === 'not_found' ? 'dropped' : 'failed'
    parts.store.outbox.update(item.id, { state, lastError: message })
    if (item.kind !== 'push' && item.kind !== 'change') return
    dropRest(parts, item)
    if (isAsked) {
      const needsYou = askedAbout(parts, item)
      if (needsYou !== null) parts.store.mailboxes.update(mailbox.id, { needsYou }, parts.clock.now())
    } else {
      block(parts, item, mailbox, { message, why: whyRefused(error) })
    }
  })
}

/** Commits of a talk go first. null: a later push of theirs, which takes these along, is agreed to already. */
function askedAbout(parts: WorkflowParts, item: OutboxItem): NeedsYou | null {
  if (unpushedTalk(parts.store, item.mailboxId) !== null) return 'unpushed_work'
  return isPushOfTalk(parts, item) ? null : 'push_needs_person'
}

/** A person decides again about commits of a talk that the forge did not take. */
const isPushOfTalk = ({ store }: WorkflowParts, item: OutboxItem): boolean =>
  item.kind === 'push' && isOfTalk(store, item)

const whyRefused = ({ type }: DeliveryError): WhyRefused =>
  type === 'gone' || type === 'moved' ? type : 'refused'

/** Its work is kept, and published once somebody has validated the plan for the issue as it is now. */
function waitForValidation(
  parts: WorkflowParts,
  item: OutboxItem,
  mailbox: Mailbox,
  commands: readonly WorkflowCommand[],
): void {
  const run = item.runId === null ? null : parts.store.runs.find(item.runId)
  parts.store.transaction(() => {
    const lastError =
      'The issue was changed since its plan was validated: it waits for somebody to look at it.'
    parts.store.outbox.update(item.id, { state: 'dropped', lastError })
    dropRest(parts, item)
    storeCommands(parts, mailbox, commands, run)
  })
}

/** As if it had never been begun: it is due at once for whoever sends next. */
function giveBack({ store }: WorkflowParts, { id, attempts, nextAttemptAt, lastError }: OutboxItem): void {
  store.outbox.update(id, { state: 'waiting', attempts, nextAttemptAt, lastError })
}

function retryLater(
  { store, clock, redact }: WorkflowParts,
  item: OutboxItem,
  error: { readonly message: string; readonly retryAfterMs?: number },
): void {
  const backoff = Math.min(1_000 * 2 ** Math.min(item.attempts, 12), MAX_BACKOFF_MS)
  store.outbox.update(item.id, {
    state: 'waiting',
    nextAttemptAt: clock.now() + (error.retryAfterMs ?? backoff),
    lastError: redact(error.message),
  })
}

/** What would have followed the push: it makes no sense without it. */
function dropRest({ store }: WorkflowParts, item: OutboxItem): void {
  const later = store.outbox
    .listByMailbox(item.mailboxId)
    .filter(
      ({ seq, runId, state }) =>
        seq > item.seq && runId === item.runId && (state === 'waiting' || state === 'sending'),
    )
  for (const { id } of later)
    store.outbox.update(id, { state: 'dropped', lastError: 'What it follows was not done.' })
}

function block(
  parts: WorkflowParts,
  item: OutboxItem,
  mailbox: Mailbox,
  { message, why }: { readonly message: string; readonly why: WhyRefused },
): void {
  const run =
    item.runId === null ? null : assertPresent(parts.store.runs.find(item.runId), 'posts keep their run')
  const cause = refusalCause(run?.uid ?? item.key, item, why)
  storeCommands(
    parts,
    mailbox,
    [
      { type: 'update_mailbox', change: { status: 'blocked', needsYou: 'blocked' } },
      { type: 'post_status', status: 'blocked', cause },
      { type: 'post_comment', kind: 'blocked', cause, text: pushFailedText(message, why) },
    ],
    run,
  )
}
