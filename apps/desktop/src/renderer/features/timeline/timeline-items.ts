import type { TimelineRow } from '@shared/contract/sessions'
import { memoryBreakOf, type MemoryBreak } from '@shared/timeline/memory-break'
import type { Rail, RailSlice } from '@shared/timeline/rail'
import { startOfDay } from '../../lib/time-format'

/** A line that goes through a band from top to bottom. */
export interface BandLine {
  readonly lane: number
  readonly color: RailSlice['color']
  readonly isDashed: boolean
}

export type TimelineItem =
  | {
      readonly kind: 'session'
      readonly key: string
      readonly row: TimelineRow
      readonly slice: RailSlice
      readonly index: number
    }
  | {
      readonly kind: 'break'
      readonly key: string
      readonly row: TimelineRow
      readonly slice: RailSlice
      readonly gap: MemoryBreak
    }
  | { readonly kind: 'day'; readonly key: string; readonly at: number; readonly lines: readonly BandLine[] }

/** Below so many rows the start times say enough. */
const dayMarksFrom = 30

export const hasDayMarks = (total: number): boolean => total >= dayMarksFrom

export interface ItemOptions {
  readonly memoryRemovedAt: number | null
  /** Rows of the whole mailbox, loaded or not. */
  readonly total: number
  /** Rows that a filter shows; null: all. */
  readonly shows: ((row: TimelineRow, slice: RailSlice) => boolean) | null
}

/** What the timeline draws, from top to bottom: sessions, the band before each that lost its memory, and days. */
export function timelineItems(
  rows: readonly TimelineRow[],
  rail: Rail,
  options: ItemOptions,
): readonly TimelineItem[] {
  const items: TimelineItem[] = []
  const hasDays = hasDayMarks(options.total)
  let lastDay: number | null = null
  rows.forEach((row, index) => {
    const slice = rail.slices[index]
    if (!slice || (options.shows && !options.shows(row, slice))) return
    const day = startOfDay(row.startedAt ?? row.createdAt)
    if (hasDays && day !== lastDay)
      items.push({
        kind: 'day',
        key: `day-${row.runId}`,
        at: day,
        lines: options.shows ? [] : linesAbove(slice),
      })
    lastDay = day
    const gap = memoryBreakOf(row, slice.cut?.letter ?? null, options.memoryRemovedAt)
    if (gap && !options.shows) items.push({ kind: 'break', key: `break-${row.runId}`, row, slice, gap })
    items.push({ kind: 'session', key: String(row.runId), row, slice, index })
  })
  return items
}

/** The lines that come down to a row from what is above it. */
function linesAbove(slice: RailSlice): readonly BandLine[] {
  const passing = slice.through.map((line) => ({
    lane: line.lane,
    color: line.color,
    isDashed: line.style === 'dashed',
  }))
  const own =
    slice.up === null || slice.lane === null
      ? []
      : [{ lane: slice.lane, color: slice.color, isDashed: slice.up === 'dashed' }]
  const lost = slice.cut?.color ? [{ lane: slice.cut.lane, color: slice.cut.color, isDashed: false }] : []
  return [...passing, ...own, ...lost]
}
