import type { RunId } from '@shared/model/ids'
import type { Mailbox, Run } from '@shared/model/records'
import type { WorkflowCommand } from '../../core/workflow/commands'
import { isTalk } from '../../core/run/talk'
import { publish } from '../../core/workflow/decide-run-end'
import { startOver } from '../../core/workflow/moves'
import { discardedText, withoutText } from '../../core/workflow/texts'
import type { OutboxItem } from '../../ports/stores'
import { outboxPayloadSchema } from './outbox-payload'
import type { KeptWork } from './ports-of-workflow'
import { storeCommands, type AfterCommit } from './store-commands'
import { goOnWithoutTalk, publishTalk } from './unpushed-talk'
import { headOfPush, runOfWaitingPush, waitingPost, type AnswerToPush } from './waiting-push'
import type { WorkflowParts } from './workflow-parts'

/*
 * What a person may answer to a push that waits for them: push it, go on without it, discard it. What they decided
 * against is `failed`, no `dropped` push that still waits: nothing publishes it any more.
 */

interface Answered {
  readonly runId: RunId
  readonly after: AfterCommit
}

/** Call these in a transaction. Null: what was shown does not wait any more. */
export function storeApproval(
  parts: WorkflowParts,
  mailbox: Mailbox,
  headSha: string,
  who: string,
): Answered | null {
  const { store } = parts
  const run = runOfWaitingPush(store, mailbox)
  if (run === null || headOfPush(run) !== headSha) return null
  const runId = run.id
  const change = store.outbox
    .listByMailbox(mailbox.id)
    .findLast((item) => item.kind === 'change' && item.runId === runId)
  const payload = outboxPayloadSchema.safeParse(change?.payload)
  const summary = payload.success && payload.data.type === 'change' ? payload.data.summary : null
  audit(parts, run, who, 'push_approved', { headSha })
  const commands = isTalk(run.phase)
    ? publishTalk(store, mailbox, run, headSha)
    : publish({ runId, uid: run.uid, summary, approvedSha: headSha, isTold: true })
  return { runId, after: storeCommands(parts, mailbox, commands, run) }
}

/** The commits are off the branch already: the phase is done again without them. */
export function storeGoOnWithout(
  parts: WorkflowParts,
  mailbox: Mailbox,
  headSha: string,
  who: string,
  kept: KeptWork,
): Answered | null {
  const waiting = waitingWith(parts, mailbox, headSha)
  if (waiting === null) return null
  const { run, post } = waiting
  decline(
    parts,
    post,
    `${who} went on without these commits. They are kept in ${kept.repository} as ${kept.ref}.`,
  )
  audit(parts, run, who, 'push_left_out', { headSha, ...kept })
  const cause = `${run.uid}:left-out`
  if (isTalk(run.phase)) return leaveTalk(parts, mailbox, run)
  // An issue that was closed meanwhile is worked on no more.
  const commands: readonly WorkflowCommand[] = !mailbox.isOpen
    ? [{ type: 'update_mailbox', change: { needsYou: null } }]
    : [
        { type: 'post_comment', kind: 'retry_resumed', cause, text: withoutText(run.phase, who) },
        ...startOver(run.phase, cause),
        { type: 'request_run', phase: run.phase, trigger: 'retry', requestedBy: who },
      ]
  return { runId: run.id, after: storeCommands(parts, mailbox, commands, run) }
}

/** The commits are gone already: a person says what comes next. */
export function storeDiscard(
  parts: WorkflowParts,
  mailbox: Mailbox,
  headSha: string,
  who: string,
): Answered | null {
  const waiting = waitingWith(parts, mailbox, headSha)
  if (waiting === null) return null
  const { run, post } = waiting
  decline(parts, post, `${who} discarded these commits.`)
  audit(parts, run, who, 'push_discarded', { headSha })
  if (isTalk(run.phase)) return leaveTalk(parts, mailbox, run)
  const cause = `${run.uid}:discarded`
  const commands: readonly WorkflowCommand[] = [
    { type: 'update_mailbox', change: { status: 'blocked', needsYou: 'blocked' } },
    { type: 'post_status', status: 'blocked', cause },
    { type: 'post_comment', kind: 'blocked', cause, text: discardedText(who) },
  ]
  return { runId: run.id, after: storeCommands(parts, mailbox, commands, run) }
}

const decline = ({ store }: WorkflowParts, { id }: OutboxItem, lastError: string): void =>
  store.outbox.update(id, { state: 'failed', lastError })

/** The forge was told nothing of these commits, so it is told nothing now either. */
const leaveTalk = (parts: WorkflowParts, mailbox: Mailbox, run: Run): Answered => ({
  runId: run.id,
  after: storeCommands(parts, mailbox, goOnWithoutTalk(parts.store, mailbox), run),
})

function waitingWith(
  { store }: WorkflowParts,
  mailbox: Mailbox,
  headSha: string,
): { readonly run: Run; readonly post: OutboxItem } | null {
  const post = waitingPost(store, mailbox)
  const run = runOfWaitingPush(store, mailbox)
  return post === null || run === null || headOfPush(run) !== headSha ? null : { run, post }
}

function audit(
  { store, clock }: WorkflowParts,
  run: Run,
  who: string,
  what: AnswerToPush,
  detail: Readonly<Record<string, string>>,
): void {
  store.audit.add({ at: clock.now(), who, what, mailboxId: run.mailboxId, runId: run.id, detail })
}
