import type { LlmSession } from '../model/records'

export interface StateGrowth {
  /** The state did not grow: the next run will not know about this one. */
  readonly isNotSaved: boolean
  readonly hasShrunk: boolean
}

const FINE: StateGrowth = { isNotSaved: false, hasShrunk: false }

/**
 * Whether a run left its session larger than it was. Sizes that are not known say nothing, and
 * only a resumed session can shrink: after a fallback the two sizes are of two different states.
 */
export function stateGrowth(
  row: Pick<
    LlmSession,
    'mode' | 'resumed' | 'nativeSessionId' | 'stateBytesBefore' | 'stateBytesAfter' | 'endedAt'
  >,
): StateGrowth {
  const { stateBytesAfter: after } = row
  if (row.mode === 'none' || row.endedAt === null || after === null || row.nativeSessionId === null)
    return FINE
  if (!row.resumed) return { isNotSaved: after === 0, hasShrunk: false }
  if (row.stateBytesBefore === null) return FINE
  return { isNotSaved: after === row.stateBytesBefore, hasShrunk: after < row.stateBytesBefore }
}
