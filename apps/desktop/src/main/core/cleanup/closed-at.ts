import type { Mailbox } from '@shared/model/records'

type Ending = Pick<Mailbox, 'isOpen' | 'status' | 'closedAt'>

/**
 * Since when a mailbox counts as closed after a change: from the first of "closed" and "done" on. Epoch ms; null while
 * somebody may still work on it, also when an issue that was done is opened again.
 */
export function closedAtAfter(
  before: Ending,
  after: Pick<Mailbox, 'isOpen' | 'status'>,
  at: number,
): number | null {
  const isOver = !after.isOpen || after.status === 'done'
  if (!isOver) return null
  const wasOpenedAgain = after.isOpen && !before.isOpen
  if (wasOpenedAgain) return null
  const hasJustEnded =
    (!after.isOpen && before.isOpen) || (after.status === 'done' && before.status !== 'done')
  return hasJustEnded ? (before.closedAt ?? at) : before.closedAt
}
