import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { TimelineRow } from '@shared/contract/sessions'
import { formatTime } from '@shared/format/times'
import { isLive } from './row-figures'

export interface DockState {
  /** Why retry is not possible now; null: it is. */
  readonly retryReason: string | null
  /** The sentence beside the actions; null: nothing stands in the way. */
  readonly sentence: string | null
  /** Sessions apply to the run, so that a fresh start is something else than a retry. */
  readonly hasSession: boolean
}

/** What can be done with the selected run, as the mailbox is now. */
export function dockState(
  selected: TimelineRow,
  liveRow: TimelineRow | null,
  mailbox: Pick<MailboxDetail, 'memoryRemovedAt' | 'needsYou'>,
  now: number,
): DockState {
  const hasSession = selected.mode !== 'none'
  const { memoryRemovedAt } = mailbox
  if (isLive(selected)) {
    const reason = `Run ${selected.runId} is live`
    return { retryReason: reason, sentence: `${reason}: chat and retry wait for its end`, hasSession }
  }
  if (liveRow) {
    const reason = `waits for run ${liveRow.runId}`
    return {
      retryReason: reason,
      sentence: `In use by run ${liveRow.runId}: chat and retry wait`,
      hasSession,
    }
  }
  // On top of commits that wait for a person nothing is made.
  if (mailbox.needsYou === 'push_needs_person' || mailbox.needsYou === 'unpushed_work')
    return { retryReason: 'waits for your push', sentence: 'A push waits for you: retry waits', hasSession }
  if (memoryRemovedAt !== null && hasSession && (selected.endedAt ?? 0) <= memoryRemovedAt) {
    return {
      retryReason: null,
      sentence: `Memory removed at cleanup on ${formatTime(memoryRemovedAt, { now })}: a retry starts fresh`,
      hasSession,
    }
  }
  return { retryReason: null, sentence: null, hasSession }
}

/**
 * Why no terminal is opened on the selected run; null: one can be, one that is open is shown again, and where another
 * run holds the session a person may watch it or take over.
 */
export function terminalReason(
  selected: TimelineRow,
  { memoryRemovedAt }: Pick<MailboxDetail, 'memoryRemovedAt'>,
): string | null {
  const isRemoved =
    memoryRemovedAt !== null && !isLive(selected) && (selected.endedAt ?? 0) <= memoryRemovedAt
  return isRemoved ? 'its memory was removed' : null
}

/** A terminal that is open is shown again, whatever its session is by then. */
export const canAttach = (row: TimelineRow): boolean =>
  row.nativeSessionId !== null || (row.phase === 'terminal' && isLive(row))
