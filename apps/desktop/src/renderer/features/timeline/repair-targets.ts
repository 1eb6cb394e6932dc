import type { RailEdge, TimelineRow } from '@shared/contract/sessions'
import type { MailboxId, SessionId } from '@shared/model/ids'
import { memoryBreakOf } from '@shared/timeline/memory-break'
import { memoryKey, memoryLetter } from '@shared/timeline/memory-letters'
import { openOverlay } from '../../lib/overlays'
import { showToast } from '../../lib/toasts'
import { findLostSession } from './use-retry'

/** A memory that can be forked or dropped from a row. */
export interface RepairTarget {
  /** The memory that the row has, or the one that it asked for and lost. */
  readonly which: 'own' | 'lost'
  readonly nativeId: string
  readonly letter: string | null
}

/** The memories of a row that a person can do something with: first the one that was lost, if there is one. */
export function repairTargets(row: TimelineRow, edge: RailEdge): readonly RepairTarget[] {
  const target = (which: RepairTarget['which'], nativeId: string): RepairTarget => {
    const index = edge.memories.findIndex(({ key }) => key === memoryKey(row.adapter, nativeId))
    return { which, nativeId, letter: index === -1 ? null : memoryLetter(index) }
  }
  const lost = memoryBreakOf(row, null, null)?.requestedId ?? null
  return [
    ...(lost === null ? [] : [target('lost', lost)]),
    ...(row.nativeSessionId === null ? [] : [target('own', row.nativeSessionId)]),
  ]
}

export const targetName = ({ which, letter }: RepairTarget): string => {
  if (letter !== null) return `memory ${letter}`
  return which === 'lost' ? 'the old memory' : 'this memory'
}

/** Asks before it is done. */
export async function openRepair(
  kind: 'drop-memory' | 'fork-memory',
  { which, nativeId, letter }: RepairTarget,
  { mailboxId, row, rows }: { mailboxId: MailboxId; row: TimelineRow; rows: readonly TimelineRow[] },
): Promise<void> {
  const sessionId = which === 'own' ? row.sessionId : await findLostSession(mailboxId, row, rows)
  if (sessionId === null) {
    showToast({
      title: 'The old session is not known',
      description: 'None of the sessions of this issue had that id.',
    })
    return
  }
  openOverlay({ kind, memory: { sessionId: sessionId as SessionId, nativeId, letter } })
}
