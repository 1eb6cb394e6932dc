import { toStatusLabel } from '../forge/labels'
import type { WorkflowCommand } from './commands'
import { isUnfinished, type LabelEventFacts, type PostFacts, type WorkflowFacts } from './facts'
import { hasExactlyStatus, statusLabelsOf } from './labels'
import { statusRestoredText } from './texts'

const RESTORE = 'restore:'

/**
 * Keeps exactly one status label on the issue: Alfred's. A person who changed it is told. The same change by the same
 * person is put back once; done again it stays until Alfred's next step, so that nobody fights over a label.
 */
export function decideStatusLabel(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const { mailbox, posts, readAt, accountId } = facts
  const { issue, labelEvents } = facts.snapshot
  if (mailbox.status === null || hasExactlyStatus(issue.labels, mailbox.status)) return []
  const own = posts.filter((post) => post.kind === 'status')
  // What is under way, or was sent after the read began, is not in the snapshot.
  if (own.some((post) => isUnfinished(post) || (post.sentAt ?? 0) >= readAt)) return []

  const isWrong = wrongLabels(issue.labels, toStatusLabel(mailbox.status))
  const event = labelEvents.findLast(({ label }) => isWrong.has(label))
  const change = event === undefined || event.by.id === accountId ? null : event
  const cause =
    change === null
      ? `${RESTORE}${mailbox.status}:${statusLabelsOf(issue.labels).join(',')}:${own.at(-1)?.cause ?? ''}`
      : RESTORE + personalChange(change, own)
  if (own.some((post) => post.cause === cause)) return []
  const restore: WorkflowCommand = { type: 'post_status', status: mailbox.status, cause }
  if (change === null) return [restore]
  const text = statusRestoredText(change.by.login)
  return [restore, { type: 'post_comment', kind: 'status_label_restored', cause, text }]
}

/** Those that are on the issue and should not be, and the one that should be and is not. */
const wrongLabels = (labels: readonly string[], right: string): ReadonlySet<string> =>
  new Set([
    ...statusLabelsOf(labels).filter((label) => label !== right),
    ...(labels.includes(right) ? [] : [right]),
  ])

/** Who did what to which label, since Alfred's last own step. */
function personalChange({ by, action, label }: LabelEventFacts, own: readonly PostFacts[]): string {
  const step = own.findLast(({ cause }) => !cause.startsWith(RESTORE))
  return [by.id, action, label, step?.cause ?? ''].join(':')
}
