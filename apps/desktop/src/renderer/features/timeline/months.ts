import type { TimelineRow } from '@shared/contract/sessions'
import type { RunId } from '@shared/model/ids'
import { formatMonth } from '../../lib/time-format'

/** From so many sessions on a month is worth a jump. */
const monthsFrom = 200

export const hasMonths = (total: number): boolean => total >= monthsFrom

export interface Month {
  /** `November 2026` */
  readonly name: string
  readonly firstRunId: RunId
}

/** The months of the loaded rows, newest first, each with its first session. */
export function monthsOf(rows: readonly TimelineRow[]): readonly Month[] {
  const months = new Map<string, Month>()
  for (const row of rows) {
    const name = formatMonth(row.startedAt ?? row.createdAt)
    if (!months.has(name)) months.set(name, { name, firstRunId: row.runId })
  }
  return [...months.values()].toReversed()
}
