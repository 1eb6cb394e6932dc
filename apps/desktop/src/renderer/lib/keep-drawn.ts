import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/** What a virtual list draws, and the item at `index` always: what has the focus would lose it by scrolling. */
export const keepDrawn =
  (index: number) =>
  (range: Range): number[] => {
    const shown = defaultRangeExtractor(range)
    return index < 0 || index >= range.count || shown.includes(index)
      ? shown
      : [...shown, index].toSorted((a, b) => a - b)
  }
