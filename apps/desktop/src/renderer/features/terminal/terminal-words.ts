import type { RunDetail } from '@shared/contract/runs'
import { formatAge, formatBytes, formatDuration } from '@shared/format'
import { formatTime } from '@shared/format/times'
import { phaseWords } from '@shared/phase-words'
import type { TerminalState } from './use-terminal-view'

/*
 * The words of the terminal screen, from facts.
 */

export const keysNote =
  'All keys go to the agent, but for Ctrl Shift D (detach), C and V (copy, paste), F6 (next pane) and Ctrl K (commands).'

/** `It is stopped at 22:10, also when nobody looks at it.` */
export const limitNote = (deadline: number | null, now: number): string | null =>
  deadline === null
    ? null
    : `It is stopped at ${formatTime(deadline, { now })}, also when nobody looks at it.`

export const watchNote = (who: string | null): string =>
  `Read-only: nothing that you type here reaches the agent. ${who === null ? 'Nobody has it now' : `It is used by ${who}`}, and the screen is as large as it was made there.`

export function stateText(state: TerminalState, now: number): string {
  switch (state.type) {
    case 'connecting':
      return 'Connecting'
    case 'attached':
      return `Attached ${formatDuration(Math.max(0, now - state.since))}`
    case 'watching':
      return 'Watching'
    case 'held':
      return 'In use'
    case 'taken_over':
      return 'Taken over'
    case 'left':
      return 'Not attached'
    case 'ended':
      return 'Ended'
  }
}

/** `saved 4s ago · 1.5 MB`; empty where nothing is known yet. */
export function savedText(row: RunDetail['row'], now: number): string {
  const bytes = row.stateBytesAfter ?? row.stateBytesBefore
  const at = row.stateBytesAfter === null ? row.stateSavedAt : row.endedAt
  return [
    at === null ? null : `saved ${formatAge(Math.max(0, now - at))} ago`,
    bytes === null ? null : formatBytes(bytes),
  ]
    .filter((fact) => fact !== null)
    .join(' · ')
}

/** `Run 431, review fix` */
export const runName = (row: Pick<RunDetail['row'], 'runId' | 'phase'>): string =>
  `Run ${row.runId}, ${phaseWords[row.phase].toLowerCase()}`

/** What a terminal that has ended leaves behind, in a sentence or two. */
export function endWords({ row, failure }: Pick<RunDetail, 'row' | 'failure'>): string {
  if (row.state !== 'ended') return 'Its work and its session are being kept.'
  const other =
    row.requestedSessionId !== null &&
    row.nativeSessionId !== null &&
    row.nativeSessionId !== row.requestedSessionId
      ? ' It ended in another session than it began with: the next run goes on with that one.'
      : ''
  if (row.outcome === 'succeeded') return `Its session is kept, and the next run goes on with it.${other}`
  const why = failure?.message ?? `It ended: ${(row.outcome ?? 'unknown').replaceAll('_', ' ')}.`
  return `${why}${other}`
}
