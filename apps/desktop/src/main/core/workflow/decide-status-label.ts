import { isStatusLabel } from '../forge/labels'
import type { WorkflowCommand } from './commands'
import { eventCause } from './decide-labels'
import { isUnfinished, type WorkflowFacts } from './facts'
import { hasExactlyStatus, statusLabelsOf } from './labels'
import { statusRestoredText } from './texts'

/**
 * Keeps exactly one status label on the issue: Alfred's. A person who changed it is told once per change; the
 * key of the restored status is made of the event too, so nobody fights over it.
 */
export function decideStatusLabel(facts: WorkflowFacts): readonly WorkflowCommand[] {
  const { mailbox, posts, readAt, accountId } = facts
  const { issue, labelEvents } = facts.snapshot
  if (mailbox.status === null || hasExactlyStatus(issue.labels, mailbox.status)) return []
  const own = posts.filter((post) => post.kind === 'status')
  // What is under way, or was sent after the read began, is not in the snapshot.
  if (own.some((post) => isUnfinished(post) || (post.sentAt ?? 0) >= readAt)) return []

  const event = labelEvents.findLast(({ label, by }) => isStatusLabel(label) && by.id !== accountId)
  const cause =
    event === undefined
      ? `restore:${mailbox.status}:${statusLabelsOf(issue.labels).join(',')}:${own.at(-1)?.cause ?? ''}`
      : `restore:${eventCause(event)}`
  const restore: WorkflowCommand = { type: 'post_status', status: mailbox.status, cause }
  return event === undefined
    ? [restore]
    : [
        restore,
        {
          type: 'post_comment',
          kind: 'status_label_restored',
          cause,
          text: statusRestoredText(event.by.login),
        },
      ]
}
