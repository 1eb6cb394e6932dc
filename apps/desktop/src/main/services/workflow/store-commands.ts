import { assertNever } from '@shared/assert'
import type { Mailbox, Run } from '@shared/model/records'
import type { RunId } from '@shared/model/ids'
import type { MailboxChange, WorkflowCommand } from '../../core/workflow/commands'
import { postKey } from '../../core/workflow/markers'
import { noAgentText } from '../../core/workflow/texts'
import type { OutboxKind } from '../../ports/stores'
import type { RunFailure } from '@shared/contract/runs'
import { outboxPayloadSchema, type OutboxPayload } from './outbox-payload'
import type { RunRequestError } from './ports-of-workflow'
import { holdPush, unpushedTalk, waitsForTalk } from './unpushed-talk'
import { sha256, type WorkflowParts } from './workflow-parts'

/** What is to be done once the commands are committed. */
export interface AfterCommit {
  readonly hasNewPosts: boolean
  readonly hasNewRun: boolean
  readonly stops: readonly { readonly runId: RunId; readonly reason: RunFailure }[]
}

/**
 * Stores what was decided; call it inside a transaction. `run` is the one that the posts belong to, for its screen.
 */
export function storeCommands(
  parts: WorkflowParts,
  mailbox: Mailbox,
  commands: readonly WorkflowCommand[],
  run: Run | null,
): AfterCommit {
  const after = { hasNewPosts: false, hasNewRun: false, stops: [] as { runId: RunId; reason: RunFailure }[] }
  const at = parts.clock.now()
  const post = (
    kind: OutboxKind,
    what: string,
    target: string,
    payload: OutboxPayload,
    runId: RunId | null,
  ): void => {
    after.hasNewPosts = true
    const key = postKey(sha256, {
      installId: parts.store.installId(),
      mailboxId: mailbox.id,
      what,
      cause: payload.cause,
    })
    parts.store.outbox.add({ key, kind, mailboxId: mailbox.id, runId, target, payload, at })
  }
  const issue = `issue ${mailbox.iid}`
  const ownRun = run?.id ?? null

  const storeOne = (command: WorkflowCommand): void => {
    switch (command.type) {
      case 'update_mailbox':
        return parts.store.mailboxes.update(mailbox.id, stillAsked(parts, mailbox, command.change), at)
      case 'post_status': {
        const { status, cause } = command
        return post('status', `status:${status}`, issue, { type: 'status', status, cause }, ownRun)
      }
      case 'post_comment': {
        const { kind, cause } = command
        const text = parts.redact(command.text)
        return post('comment', kind, issue, { type: 'comment', text, markerKind: kind, cause }, ownRun)
      }
      case 'remove_label': {
        const { label, cause } = command
        return post(
          'remove_label',
          `remove_label:${label}`,
          issue,
          { type: 'remove_label', label, cause },
          ownRun,
        )
      }
      case 'edit_section': {
        const { cause } = command
        return post(
          'description',
          'description',
          issue,
          { type: 'description', text: parts.redact(command.text), cause },
          ownRun,
        )
      }
      case 'push': {
        const { approvedSha, cause, runId } = command
        const branch = parts.store.mailboxes.get(mailbox.id).branchName ?? ''
        const { isGoneKnown = false } = command
        return post(
          'push',
          'push',
          `branch ${branch}`,
          { type: 'push', approvedSha, isGoneKnown, cause },
          runId,
        )
      }
      case 'hold_push':
        return holdPush(parts, parts.store.mailboxes.get(mailbox.id), command.runId, command.cause)
      case 'publish_again': {
        for (const again of postsOfPush(parts, command)) storeOne(again)
        return
      }
      case 'delete_branch': {
        const { branch, headSha, cause, runId } = command
        return post(
          'delete_branch',
          'delete_branch',
          `branch ${branch}`,
          { type: 'delete_branch', branch, headSha, cause },
          runId,
        )
      }
      case 'open_change': {
        const { cause, runId } = command
        const summary = command.summary === null ? null : parts.redact(command.summary)
        return post('change', 'change', issue, { type: 'change', summary, cause }, runId)
      }
      case 'tell_change':
        return post(
          'comment',
          'change_opened',
          issue,
          { type: 'tell_change', markerKind: 'change_opened', cause: command.cause },
          command.runId,
        )
      case 'request_run': {
        const { phase, trigger, requestedBy, resumeChoice = 'auto' } = command
        const request = {
          mailboxId: mailbox.id,
          phase,
          trigger,
          requestedBy,
          resumeChoice,
        }
        const requested = parts.runs.requestRun(request)
        if (requested.ok) after.hasNewRun = true
        else if (waitsForTalk(parts.store, request, requested.error)) return
        else for (const consequence of withoutRun(requested.error, phase, at)) storeOne(consequence)
        return
      }
      case 'stop_run':
        after.stops.push({ runId: command.runId, reason: command.reason })
        return
      case 'store_plan': {
        const { runId, issueSha256 } = command
        const plan = parts.redact(command.plan)
        const functionalAnalysis =
          command.functionalAnalysis === null ? null : parts.redact(command.functionalAnalysis)
        return parts.store.plans.put({
          mailboxId: mailbox.id,
          runId,
          plan,
          functionalAnalysis,
          issueSha256,
          createdAt: at,
        })
      }
      case 'approve_plan': {
        const { personId, labelEvent, planSha256, titleSha256, bodySha256 } = command
        return parts.store.plans.approve({
          mailboxId: mailbox.id,
          personId,
          labelEvent,
          planSha256,
          titleSha256,
          bodySha256,
          approvedAt: at,
        })
      }
      default:
        return assertNever(command, 'workflow command')
    }
  }
  const isRefused = commands.some(
    (command) => command.type === 'request_run' && parts.runs.whyNoAgent(mailbox.id, command.phase) !== null,
  )
  for (const command of isRefused ? commands.filter(isTrueWithoutRun) : commands) storeOne(command)
  return after
}

/** Whatever else is asked, a person is first asked what becomes of the commits of a talk. */
const stillAsked = ({ store }: WorkflowParts, { id }: Mailbox, change: MailboxChange): MailboxChange =>
  change.needsYou !== undefined && unpushedTalk(store, id) !== null
    ? { ...change, needsYou: 'unpushed_work' }
    : change

/** What the run's last push published, or was to publish; what a person agreed to, or knows, stays so. */
function postsOfPush(
  { store }: WorkflowParts,
  { runId, cause, ...command }: Extract<WorkflowCommand, { type: 'publish_again' }>,
): readonly WorkflowCommand[] {
  const items = store.outbox.listByRun(runId)
  const posts = items
    .map(({ payload }) => outboxPayloadSchema.safeParse(payload))
    .flatMap(({ data }) => data ?? [])
  const pushed = posts.findLast((post) => post.type === 'push')
  // Once it was made anew, nobody knows that it is gone again.
  const isThere = items.findLast(({ kind }) => kind === 'push')?.state === 'sent'
  const change = posts.findLast((post) => post.type === 'change')
  const approvedSha = pushed?.approvedSha ?? null
  const isMadeAnew = pushed?.isGoneKnown === true
  const isGoneKnown = command.isGoneKnown || (isMadeAnew && !isThere)
  return [
    { type: 'push', runId, cause, approvedSha, isGoneKnown },
    { type: 'open_change', runId, cause, summary: change?.summary ?? null },
    // A branch that is made anew gets another change.
    ...(isGoneKnown || isMadeAnew || posts.some(({ type }) => type === 'tell_change')
      ? [{ type: 'tell_change', runId, cause } as const]
      : []),
  ]
}

/** Nobody is told that work begins, and no status says so, when no run can begin. */
const isTrueWithoutRun = (command: WorkflowCommand): boolean =>
  command.type !== 'post_status' &&
  !(command.type === 'update_mailbox' && command.change.status !== undefined) &&
  !(command.type === 'post_comment' && beginnings.has(command.kind))

const beginnings: ReadonlySet<string> = new Set(['acknowledgement', 'plan_validated', 'retry_resumed'])

/** A run that cannot be queued: one that works, or a push that waits, goes first; without an agent a person is told. */
function withoutRun(error: RunRequestError, phase: string, at: number): readonly WorkflowCommand[] {
  if (error.type === 'already_running' || error.type === 'push_waits') return []
  const cause = `no-run:${phase}:${at}`
  const needsYou = error.type === 'no_agent' ? 'not_built' : 'blocked'
  return [
    { type: 'update_mailbox', change: { status: 'blocked', needsYou } },
    { type: 'post_status', status: 'blocked', cause },
    { type: 'post_comment', kind: 'blocked', cause, text: noAgentText(error.message) },
  ]
}
