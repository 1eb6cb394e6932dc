import { z } from 'zod'

/*
 * Where the poll of one project stands. Everything in it is time of the server: ours never enters, so a wrong clock on
 * either side loses nothing. Whole seconds, as the servers keep them.
 */

/** An item that was reported: when it had changed, and what it looked like then. */
const seenSchema = z.record(z.string(), z.tuple([z.number(), z.string()]))
export type Seen = z.infer<typeof seenSchema>

const positionSchema = z.object({
  /** What changed in this second or later is asked for; null: everything. */
  since: z.number().nullable(),
  /** What was reported of that already. */
  seen: seenSchema,
})
export type Position = z.infer<typeof positionSchema>

const walkSchema = z.object({
  list: z.enum(['issues', 'comments']),
  /** How many rows of the list were read: the place of the next. */
  at: z.number().int().nonnegative().default(0),
  /** Rows of the first page: the server may give fewer than were asked for. */
  size: z.number(),
  /** Items of the list when the last page was read. */
  total: z.number(),
  /** Keys of the rows that were read last, in their order: the next page has to begin among them. */
  edge: z.array(z.string()).default([]),
  /** The server's time when the first page was read; null: it does not tell. */
  startedAt: z.number().nullable(),
  /** The latest change among all pages so far. */
  newest: z.number().nullable(),
  seen: seenSchema,
})
/** A list that is being read, page by page. */
export type Walk = z.infer<typeof walkSchema>

const cursorSchema = z.object({
  version: z.literal(1),
  issues: positionSchema,
  comments: positionSchema,
  walk: walkSchema.nullable(),
})
export type PollCursor = z.infer<typeof cursorSchema>

const fromTheStart: PollCursor = {
  version: 1,
  issues: { since: null, seen: {} },
  comments: { since: null, seen: {} },
  walk: null,
}

/** One that cannot be read starts over: an issue that comes again does no harm, one that is lost does. */
export function readCursor(text: string | null): PollCursor {
  if (text === null) return fromTheStart
  try {
    return cursorSchema.parse(JSON.parse(text))
  } catch {
    return fromTheStart
  }
}

export const writeCursor = (cursor: PollCursor): string => JSON.stringify(cursor)

/** A change that was still being written while a page was read shows its time only afterwards. */
const overlap = 10

/** How far back to look when the server's clock was set back. */
const lookBack = 600

/** So many that nobody changes them within the overlap by hand; what is beyond is reported again. */
const mostSeen = 2_000

/** Where the next walk begins once this one has read its last page. */
export function positionAfter(position: Position, walk: Walk): Position {
  const since = sinceAfter(position.since, walk)
  return { since, seen: since === null ? {} : seenSince(walk.seen, since) }
}

/** What later pages and walks still have to know; the rest of a long list is let go. */
export function seenOfWalk({ seen, startedAt, newest }: Walk): Seen {
  const times = [startedAt, newest].filter((time) => time !== null)
  return times.length === 0 ? seen : seenSince(seen, Math.min(...times) - overlap)
}

function seenSince(seen: Seen, since: number): Seen {
  const inWindow = Object.entries(seen).filter(([, [at]]) => at >= since)
  return Object.fromEntries(latest(inWindow))
}

function sinceAfter(since: number | null, { startedAt, newest }: Walk): number | null {
  if (since !== null && startedAt !== null && startedAt < since) return startedAt - lookBack
  const times = [startedAt, newest].filter((time) => time !== null)
  // Nothing was there: a list that stays empty keeps its position, so that an idle poll moves nothing.
  if (times.length === 0 || (newest === null && since !== null)) return since
  return Math.max(since ?? 0, Math.min(...times) - overlap)
}

const latest = (entries: readonly (readonly [string, Seen[string]])[]): typeof entries =>
  entries.length <= mostSeen ? entries : entries.toSorted(([, [a]], [, [b]]) => b - a).slice(0, mostSeen)
