import type { TimelineRow } from '../contract/sessions'
import type { ResumeFailure } from '../model/words'
import { losesMemory } from '../phase-words'
import { beganFresh } from './session-badge'

/** The band between two rows where a memory was asked for and lost. */
export interface MemoryBreak {
  /** Letter of the memory that ended; null when no row of it is known. */
  readonly letter: string | null
  readonly reason: ResumeFailure
  readonly requestedId: string | null
  /** Size of the state that was asked for, and its age when the run began. */
  readonly stateBytes: number | null
  readonly ageMs: number | null
  /** What reading everything again cost: this run's figure, null while it is not known. */
  readonly costUsd: number | null
  /** The id had failed twice in a row and was not tried. */
  readonly isNotTried: boolean
  /** The agent was started with the id; else nothing was there to be resumed, which was seen before. */
  readonly wasTried: boolean
  /** It was removed at cleanup after it was saved and before this run. */
  readonly isRemoved: boolean
  /** A fresh session took its place, or may yet: not where no time was left, and the next run asks for it again. */
  readonly beganFresh: boolean
  /** Whether "Retry old id" makes sense: not after the memory was removed at cleanup. */
  readonly canRetry: boolean
}

/** The band above a row; null when the row lost nothing. `letter` is that of the rail's cut. */
export function memoryBreakOf(
  row: Pick<
    TimelineRow,
    | 'resumeFallback'
    | 'requestedSessionId'
    | 'stateBytesBefore'
    | 'stateSavedAt'
    | 'createdAt'
    | 'costUsd'
    | 'idSetAside'
    | 'mode'
    | 'nativeSessionId'
    | 'state'
  >,
  letter: string | null,
  memoryRemovedAt: number | null,
): MemoryBreak | null {
  const { resumeFallback } = row
  if (!losesMemory(resumeFallback)) return null
  const wasRemovedSince = memoryRemovedAt !== null && (row.stateSavedAt ?? 0) <= memoryRemovedAt
  return {
    letter,
    reason: resumeFallback,
    requestedId: row.requestedSessionId,
    stateBytes: row.stateBytesBefore,
    ageMs: row.stateSavedAt === null ? null : Math.max(0, row.createdAt - row.stateSavedAt),
    costUsd: row.costUsd,
    isNotTried: row.idSetAside,
    wasTried: row.mode === 'resume',
    isRemoved: wasRemovedSince && row.stateSavedAt !== null && row.createdAt > memoryRemovedAt,
    beganFresh: beganFresh(row),
    canRetry: row.requestedSessionId !== null && !wasRemovedSince,
  }
}
