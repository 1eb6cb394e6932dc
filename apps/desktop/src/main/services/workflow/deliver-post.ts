import type { Mailbox, Project, Run } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import { replaceSection } from '../../core/workflow/description-section'
import { eventCause } from '../../core/workflow/decide-labels'
import { hasExactlyStatus } from '../../core/workflow/labels'
import { parseMarker, textSha256, withMarker } from '../../core/workflow/markers'
import { changeBody, changeOpenedText, changeTitle } from '../../core/workflow/texts'
import type { Forge, ForgeError, ForgeIssueSnapshot } from '../../ports/forge'
import type { OutboxItem } from '../../ports/stores'
import type { MarkerKind } from '@shared/model/words'
import { outboxPayloadSchema, type OutboxPayload } from './outbox-payload'
import type { PushError } from './ports-of-workflow'
import { sha256, type WorkflowParts } from './workflow-parts'

/*
 * One post, done once: each looks first whether it is there already, so that a crash between the forge's answer
 * and our note of it posts nothing twice.
 */

export interface PostTarget {
  readonly item: OutboxItem
  readonly mailbox: Mailbox
  readonly project: Project
  readonly forge: Forge
  /** Read right before. */
  readonly snapshot: ForgeIssueSnapshot
  readonly accountId: string
  readonly signal: AbortSignal
}

export interface Delivered {
  readonly remoteId: string | null
  readonly postedSha256: string | null
  /** The change that is open now. */
  readonly changeIid?: number
}

export type DeliveryError = ForgeError | PushError

const NOTHING: Delivered = { remoteId: null, postedSha256: null }

export async function deliverPost(
  parts: WorkflowParts,
  target: PostTarget,
): Promise<Result<Delivered, DeliveryError>> {
  const parsed = outboxPayloadSchema.safeParse(target.item.payload)
  if (!parsed.success)
    return err({ type: 'invalid', message: 'This post cannot be read any more.', retryable: false })
  const payload = parsed.data
  switch (payload.type) {
    case 'comment':
      return postComment(target, payload.markerKind, payload.text)
    case 'tell_change':
      return postComment(target, payload.markerKind, changeOpenedText(changeReference(parts, target)))
    case 'status':
      return setStatus(target, payload)
    case 'remove_label':
      return removeLabel(target, payload)
    case 'description':
      return editSection(target, payload.text)
    case 'push':
      return push(parts, target, payload)
    case 'change':
      return openChange(target, payload.summary)
    case 'delete_branch':
      return deleteBranch(parts, target, payload)
  }
}

type Of<T extends OutboxPayload['type']> = Extract<OutboxPayload, { type: T }>

async function postComment(
  target: PostTarget,
  kind: MarkerKind,
  text: string,
): Promise<Result<Delivered, ForgeError>> {
  const { item, project, mailbox, forge, snapshot, accountId } = target
  const there = snapshot.comments.find(
    (comment) => comment.author.id === accountId && parseMarker(comment.body)?.key === item.key,
  )
  const body = withMarker(text, { key: item.key, kind })
  const postedSha256 = textSha256(sha256, body)
  if (there !== undefined) return ok({ remoteId: there.id, postedSha256 })
  const added = await forge.addComment(project, mailbox.iid, body)
  return added.ok ? ok({ remoteId: added.value, postedSha256 }) : added
}

/** As the forge's own text links it. */
function changeReference({ store }: WorkflowParts, { project, mailbox, snapshot }: PostTarget): string {
  const iid = snapshot.changes.find(({ state }) => state === 'open')?.iid ?? mailbox.changeIid
  const { kind } = store.forges.getForge(project.forgeId)
  const sign = kind === 'gitlab' || kind === 'local' ? '!' : '#'
  return iid === null ? 'the change is open' : `${sign}${iid}`
}

async function setStatus(
  { project, mailbox, forge, snapshot }: PostTarget,
  { status }: Of<'status'>,
): Promise<Result<Delivered, ForgeError>> {
  if (hasExactlyStatus(snapshot.issue.labels, status)) return ok(NOTHING)
  const set = await forge.setStatus(project, mailbox.iid, status)
  return set.ok ? ok(NOTHING) : set
}

/** A label that was set anew since is another command: it stays for its own turn. */
async function removeLabel(
  { project, mailbox, forge, snapshot }: PostTarget,
  { label, cause }: Of<'remove_label'>,
): Promise<Result<Delivered, ForgeError>> {
  const event = snapshot.labelEvents.findLast(
    (candidate) => candidate.label === label && candidate.action === 'added',
  )
  const isAnother = event !== undefined && cause.startsWith('label-event:') && eventCause(event) !== cause
  if (!snapshot.issue.labels.includes(label) || isAnother) return ok(NOTHING)
  const removed = await forge.removeLabel(project, mailbox.iid, label)
  return removed.ok ? ok(NOTHING) : removed
}

/** Where the markers in the description cannot be trusted, the text becomes a comment. */
async function editSection(target: PostTarget, text: string): Promise<Result<Delivered, ForgeError>> {
  const { project, mailbox, forge, snapshot } = target
  const { body } = snapshot.issue
  const next = replaceSection(body, text)
  if (next === null) return postComment(target, 'description', text)
  const written: Delivered = { remoteId: null, postedSha256: textSha256(sha256, text.trim()) }
  if (next === body) return ok(written)
  const edited = await forge.editDescription(project, mailbox.iid, body, next)
  if (edited.ok) return ok(written)
  // Somebody wrote in between: their text is read again and kept.
  return edited.error.type === 'conflict'
    ? err({ ...edited.error, retryable: true, retryAfterMs: 0 })
    : edited
}

async function push(
  parts: WorkflowParts,
  { item, signal }: PostTarget,
  { approvedSha, isGoneKnown }: Of<'push'>,
): Promise<Result<Delivered, DeliveryError>> {
  const run = runOf(parts, item)
  if (run === null) return err({ type: 'refused', message: 'The run of this push is not known any more.' })
  const pushed = await parts.pusher.pushRun(run, { approvedSha, isGoneKnown, signal })
  return pushed.ok ? ok({ remoteId: pushed.value.headSha, postedSha256: null }) : pushed
}

const runOf = ({ store }: WorkflowParts, { runId }: OutboxItem): Run | null =>
  runId === null ? null : store.runs.find(runId)

/** An open change that comes from it or goes to it would be closed with it, whoever opened that. */
async function deleteBranch(
  parts: WorkflowParts,
  { item, project, forge, signal }: PostTarget,
  { branch, headSha }: Of<'delete_branch'>,
): Promise<Result<Delivered, DeliveryError>> {
  const run = runOf(parts, item)
  if (run === null) return ok(NOTHING)
  const isUsed = await forge.isInOpenChange(project, branch)
  if (!isUsed.ok) return isUsed
  if (isUsed.value) return ok(NOTHING)
  const deleted = await parts.pusher.deleteBranch(run, { name: branch, headSha, signal })
  return deleted.ok ? ok({ remoteId: deleted.value ? headSha : null, postedSha256: null }) : deleted
}

async function openChange(
  { project, mailbox, forge }: PostTarget,
  summary: string | null,
): Promise<Result<Delivered, ForgeError>> {
  const opened = await forge.openChange(project, {
    title: changeTitle(mailbox.title, mailbox.iid),
    body: changeBody(summary, mailbox.iid),
    sourceBranch: mailbox.branchName ?? '',
    targetBranch: mailbox.baseBranch ?? project.defaultBranch,
    closesIid: mailbox.iid,
  })
  if (opened.ok)
    return ok({ remoteId: String(opened.value.iid), postedSha256: null, changeIid: opened.value.iid })
  // Some forges know a pushed branch only seconds later.
  return opened.error.type === 'not_found' ? err({ ...opened.error, retryable: true }) : opened
}
