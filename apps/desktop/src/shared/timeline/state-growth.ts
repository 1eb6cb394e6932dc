import type { LlmSession } from '../model/records'

export interface StateGrowth {
  /** The state did not grow: the next run will not know about this one. */
  readonly isNotSaved: boolean
  readonly hasShrunk: boolean
}

type SavedRow = Pick<
  LlmSession,
  'mode' | 'resumed' | 'nativeSessionId' | 'stateBytesBefore' | 'stateBytesAfter' | 'endedAt'
>

const FINE: StateGrowth = { isNotSaved: false, hasShrunk: false }

/**
 * Whether a run left its session larger than it was. Sizes that are not known say nothing, and
 * only a resumed session can shrink: after a fallback the two sizes are of two different states.
 */
export function stateGrowth(row: SavedRow): StateGrowth {
  const { stateBytesAfter: after } = row
  if (row.mode === 'none' || row.endedAt === null || after === null || row.nativeSessionId === null)
    return FINE
  if (!row.resumed) return { isNotSaved: after === 0, hasShrunk: false }
  if (row.stateBytesBefore === null) return FINE
  return { isNotSaved: after === row.stateBytesBefore, hasShrunk: after < row.stateBytesBefore }
}

/** Whether the next run is known to find this one in its session's state. */
export const isSaved = (row: SavedRow): boolean =>
  row.mode !== 'none' &&
  row.endedAt !== null &&
  row.nativeSessionId !== null &&
  (row.stateBytesAfter ?? 0) > 0 &&
  !stateGrowth(row).isNotSaved
