import type { RailEdge, TimelineRow } from '../contract/sessions'
import type { RunId } from '../model/ids'
import { memoryKey, memoryLetter, threadColor, type ThreadColor } from './memory-letters'
import { isLoss } from './session-badge'

/*
 * The thread line of the timeline, cut into one slice per row. One pass over the loaded rows; what lies
 * above them is known by the edge alone, so pages join without being read again.
 */

export type RailRow = Pick<
  TimelineRow,
  'runId' | 'adapter' | 'nativeSessionId' | 'requestedSessionId' | 'badge'
>

export type LineStyle = 'solid' | 'dashed'

/** A line beside a row: `memories` are all that share this lane here, the drawn one first. */
export interface RailLine {
  /** 0 or 1: at most two lanes are drawn. */
  readonly lane: number
  readonly letter: string
  readonly color: ThreadColor
  readonly style: LineStyle
  /** How many more memories share the second lane here ("+n"). */
  readonly more: number
}

export interface RailSlice {
  readonly runId: RunId
  /** Where the row's node stands; null when the row has no session. */
  readonly lane: number | null
  /** The memory's letter; null for a row that has none (yet). */
  readonly letter: string | null
  readonly color: ThreadColor | null
  readonly up: LineStyle | null
  readonly down: LineStyle | null
  /** Lines of other memories that pass by. */
  readonly through: readonly RailLine[]
  /** The lane that is cut in the band above this row, because the row fell back; null: no band. */
  readonly cut: {
    readonly lane: number
    readonly letter: string | null
    readonly color: ThreadColor | null
  } | null
}

export interface Rail {
  readonly slices: readonly RailSlice[]
  /** Lines that cross the upper edge of the loaded rows. */
  readonly top: readonly RailLine[]
}

interface Memory {
  readonly index: number
  readonly first: number
  last: number
  lane: number
}

/** A piece of line from row to row; `from` -1 is above the loaded rows, `to` rows.length is below. */
interface Link {
  readonly memory: Memory
  readonly from: number
  readonly to: number
  readonly style: LineStyle
  readonly isCut: boolean
}

/** Slices for `rows` (oldest first, consecutive), with the memories of the whole mailbox in `edge`. */
export function railOf(rows: readonly RailRow[], edge: RailEdge): Rail {
  const memories = collectMemories(rows, edge)
  assignLanes([...memories.values()])
  const links = collectLinks(rows, memories)
  const endingAt = byRow(links, (link) => link.to)
  const beginningAt = byRow(links, (link) => link.from)
  const passing = new Set(beginningAt.get(-1) ?? [])
  const top = foldLines([...passing])
  const slices = rows.map((row, at) => {
    const ending = endingAt.get(at) ?? []
    const beginning = beginningAt.get(at) ?? []
    for (const link of ending) passing.delete(link)
    const slice = sliceOf(row, memories, { ending, beginning, passing: [...passing] })
    for (const link of beginning) passing.add(link)
    return slice
  })
  return { slices, top }
}

function byRow(links: readonly Link[], rowOf: (link: Link) => number): ReadonlyMap<number, readonly Link[]> {
  const groups = new Map<number, Link[]>()
  for (const link of links) groups.set(rowOf(link), [...(groups.get(rowOf(link)) ?? []), link])
  return groups
}

/** The memory that a row belongs to, or will once its resume is proven. */
const ownKey = (row: RailRow): string | null => {
  const id = row.nativeSessionId ?? (row.badge === 'pending' ? row.requestedSessionId : null)
  return id === null ? null : memoryKey(row.adapter, id)
}

const askedKey = (row: RailRow): string | null =>
  row.requestedSessionId === null ? null : memoryKey(row.adapter, row.requestedSessionId)

function collectMemories(rows: readonly RailRow[], edge: RailEdge): ReadonlyMap<string, Memory> {
  const memories = new Map<string, Memory>()
  for (const { key, firstRunId, lastRunId } of edge.memories) {
    memories.set(key, { index: memories.size, first: firstRunId, last: lastRunId, lane: 0 })
  }
  for (const row of rows) {
    const key = ownKey(row)
    if (key === null) continue
    const known = memories.get(key)
    if (known) known.last = Math.max(known.last, row.runId)
    else memories.set(key, { index: memories.size, first: row.runId, last: row.runId, lane: 0 })
  }
  for (const row of rows.filter(({ badge }) => isLoss(badge))) {
    const lost = memories.get(askedKey(row) ?? '')
    // Its line goes on to the band above the row, and leaves the lane free for what begins there.
    if (lost) lost.last = Math.max(lost.last, row.runId - 0.5)
  }
  return memories
}

/** The lowest lane that is free: one is, after the last row of its memory. */
function assignLanes(memories: readonly Memory[]): void {
  const busyUntil: number[] = []
  for (const memory of memories.toSorted((a, b) => a.first - b.first)) {
    const free = busyUntil.findIndex((until) => until < memory.first)
    memory.lane = free < 0 ? busyUntil.length : free
    busyUntil[memory.lane] = memory.last
  }
}

function collectLinks(rows: readonly RailRow[], memories: ReadonlyMap<string, Memory>): readonly Link[] {
  const links: Link[] = []
  const lastRowOf = new Map<Memory, number>()
  const above = rows[0]?.runId ?? 0
  const reachOf = (memory: Memory): number | null =>
    lastRowOf.get(memory) ?? (memory.first < above ? -1 : null)

  rows.forEach((row, at) => {
    const own = memories.get(ownKey(row) ?? '')
    const lost = isLoss(row.badge) ? memories.get(askedKey(row) ?? '') : undefined
    for (const [memory, isCut] of [
      [lost, true],
      [own, false],
    ] as const) {
      const from = memory === undefined ? null : reachOf(memory)
      if (memory === undefined || from === null) continue
      const joins = isCut || row.badge === 'resumed' || row.badge === 'pending'
      if (joins)
        links.push({ memory, from, to: at, style: row.badge === 'pending' ? 'dashed' : 'solid', isCut })
    }
    if (own) lastRowOf.set(own, at)
  })

  const below = rows.at(-1)?.runId ?? Number.MAX_SAFE_INTEGER
  for (const memory of memories.values()) {
    const from = reachOf(memory)
    if (from !== null && Math.floor(memory.last) > below)
      links.push({ memory, from, to: rows.length, style: 'solid', isCut: false })
  }
  return links
}

const drawnLane = (memory: Memory): number => Math.min(memory.lane, 1)

/** Several memories on the second lane become one line with a count. */
function foldLines(links: readonly Link[]): readonly RailLine[] {
  return [0, 1].flatMap((lane) => {
    const here = links
      .filter(({ memory }) => drawnLane(memory) === lane)
      .toSorted((a, b) => a.memory.lane - b.memory.lane)
    const first = here[0]
    if (first === undefined) return []
    const { index } = first.memory
    const more = new Set(here.map(({ memory }) => memory)).size - 1
    return [{ lane, letter: memoryLetter(index), color: threadColor(index), style: first.style, more }]
  })
}

interface LinksAtRow {
  readonly ending: readonly Link[]
  readonly beginning: readonly Link[]
  readonly passing: readonly Link[]
}

function sliceOf(row: RailRow, memories: ReadonlyMap<string, Memory>, links: LinksAtRow): RailSlice {
  const own = memories.get(ownKey(row) ?? '')
  const asked = memories.get(askedKey(row) ?? '')
  const lane = own ?? (row.badge === 'unproven' ? asked : undefined)
  return {
    runId: row.runId,
    lane: row.badge === 'none' ? null : lane === undefined ? 0 : drawnLane(lane),
    letter: own === undefined ? null : memoryLetter(own.index),
    color: own === undefined ? null : threadColor(own.index),
    up: links.ending.find((link) => !link.isCut && link.memory === own)?.style ?? null,
    down: links.beginning.find((link) => link.memory === own)?.style ?? null,
    through: foldLines(links.passing),
    cut: isLoss(row.badge) ? cutOf(asked) : null,
  }
}

const cutOf = (memory: Memory | undefined): RailSlice['cut'] =>
  memory === undefined
    ? { lane: 0, letter: null, color: null }
    : { lane: drawnLane(memory), letter: memoryLetter(memory.index), color: threadColor(memory.index) }
