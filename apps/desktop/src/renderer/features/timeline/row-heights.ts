import type { TimelineItem } from './timeline-items'

export interface RowHeights {
  readonly session: number
  readonly break: number
  readonly day: number
}

/** Fixed heights by kind; above 125 % text size they grow with the text. */
export const rowHeights = (textScale: number): RowHeights => ({
  session: Math.max(48, Math.round(42 * textScale - 4)),
  break: Math.max(50, Math.round(34 * textScale + 10)),
  day: Math.max(24, Math.round(18 * textScale)),
})

/** By how much the first session of `before` moved down because sessions were put above it. Pixels. */
export function heightAbove(
  before: readonly TimelineItem[],
  after: readonly TimelineItem[],
  heights: RowHeights,
): number {
  const oldIndex = before.findIndex((item) => item.kind === 'session')
  const key = before[oldIndex]?.key
  const newIndex = after.findIndex((item) => item.key === key)
  if (key === undefined || newIndex < 0 || !after.slice(0, newIndex).some((item) => item.kind === 'session'))
    return 0
  return heightOf(after.slice(0, newIndex), heights) - heightOf(before.slice(0, oldIndex), heights)
}

/** Height of rows of these kinds, in pixels. */
export const heightOf = (items: readonly TimelineItem[], heights: RowHeights): number =>
  items.reduce((sum, item) => sum + heights[item.kind], 0)
