import type { Walk } from './poll-cursor'
import { largestPage } from './read-answer'

/*
 * How a list is read whole by page numbers while its rows move. Their order never changes, so two pages that share a row
 * leave nothing out between them that was there all the time. Pages of one size share none: each is asked for with the
 * size whose pages lie across the end of the last one. When none of the rows at that end is in the page, they have moved
 * up or down farther than it reaches, and it is read again from further up, at worst from the first row.
 */

type Reading = Pick<Walk, 'at' | 'size' | 'total' | 'edge'>

export interface PlaceAfter<T> {
  /** The rows of the page that were not read before. */
  readonly unread: readonly T[]
  readonly at: number
  readonly edge: string[]
  readonly isEnd: boolean
}

/** So many rows may go at the end of a page, and the next still finds its beginning. */
const edgeLength = 20

/** The page that shares at least the last row that was read, and goes farthest beyond it. */
export function pageAfter({ at, size }: Pick<Reading, 'at' | 'size'>): {
  readonly page: number
  readonly limit: number
} {
  if (at === 0) return { page: 1, limit: largestPage }
  const last = at - 1
  let limit = 0
  let end = at
  for (let each = 2; each <= size; each++) {
    const endOfEach = last - (last % each) + each
    if (endOfEach <= end) continue
    limit = each
    end = endOfEach
  }
  // Only servers with small pages have places that no page of any size lies across (10 rows: each 2,520th place).
  if (limit === 0) limit = divisorOf(at, size)
  return { page: Math.floor(at / limit) + 1, limit }
}

function divisorOf(at: number, size: number): number {
  let limit = Math.max(1, size)
  while (at % limit > 0) limit--
  return limit
}

export function placeAfter<T extends { readonly key: string }>(
  reading: Reading,
  page: { readonly items: readonly T[]; readonly total: number | null },
): PlaceAfter<T> {
  const asked = pageAfter(reading)
  const start = (asked.page - 1) * asked.limit
  const { items, total } = page
  const joint = items.findLastIndex(({ key }) => reading.edge.includes(key))
  // Where no page lies across, only a list that got shorter shows that rows have moved.
  const follows = start === 0 || joint >= 0 || (start === reading.at && (total ?? 0) >= reading.total)
  if (!follows) {
    const back = Math.ceil(reading.size / 2)
    return { unread: [], at: Math.max(0, start - back), edge: reading.edge, isEnd: false }
  }
  const unread = items.slice(joint + 1)
  const at = start + items.length
  const keys = [...(start === 0 && joint < 0 ? [] : reading.edge), ...unread.map(({ key }) => key)]
  const isShort = reading.at > 0 && items.length < asked.limit
  const isEnd = items.length === 0 || (total === null ? isShort : at >= total)
  return { unread, at, edge: keys.slice(-edgeLength), isEnd }
}
