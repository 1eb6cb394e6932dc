import type { TranscriptEvent } from '@shared/contract/runs'

/*
 * What the transcript shows, from the events as they come: a tool and its result are one row, raw output that follows
 * itself is one block, usage figures are none. Rows are added at both ends and never move.
 */

interface RowBase {
  /** Of the first event in it; the row's key. */
  readonly seq: number
  readonly at: number
}

export interface ToolRow extends RowBase {
  readonly kind: 'tool'
  readonly name: string
  readonly summary: string
  readonly input: string
  readonly result: { readonly output: string; readonly failed: boolean; readonly at: number } | null
}

export interface OutputRow extends RowBase {
  readonly kind: 'output'
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
  readonly lineCount: number
}

export interface WordsRow extends RowBase {
  readonly kind: 'text' | 'thought' | 'notice' | 'retry' | 'warning' | 'error'
  readonly text: string
}

export interface SessionRow extends RowBase {
  readonly kind: 'session'
  readonly nativeId: string
  readonly proof: 'resumed' | 'named' | 'fresh' | 'other_id' | null
}

export interface ResultRow extends RowBase {
  readonly kind: 'result'
  readonly text: string
  readonly succeeded: boolean
}

export interface CutRow extends RowBase {
  readonly kind: 'cut'
  readonly bytes: number
  readonly keptBytes: number
}

export type TranscriptRow = ToolRow | OutputRow | WordsRow | SessionRow | ResultRow | CutRow

/** A block of raw output takes no more lines than this; then the next one begins. */
const mostLinesPerBlock = 400

export interface Transcript {
  readonly rows: readonly TranscriptRow[]
  readonly firstSeq: number | null
  readonly lastSeq: number | null
}

export const emptyTranscript: Transcript = { rows: [], firstSeq: null, lastSeq: null }

/** Whether events follow what is there; if not, something was missed and must be asked for. */
export const follows = (transcript: Transcript, events: readonly TranscriptEvent[]): boolean =>
  transcript.lastSeq === null || (events[0]?.seq ?? 0) <= transcript.lastSeq + 1

/** Adds newer events. Those that are there already are passed over, so a batch that overlaps does no harm. */
export function append(transcript: Transcript, events: readonly TranscriptEvent[]): Transcript {
  const fresh = events.filter((event) => event.seq > (transcript.lastSeq ?? -1))
  if (fresh.length === 0) return transcript
  return {
    rows: fold([...transcript.rows], fresh),
    firstSeq: transcript.firstSeq ?? fresh[0]?.seq ?? null,
    lastSeq: fresh.at(-1)?.seq ?? transcript.lastSeq,
  }
}

/** Adds older events in front. A tool whose result was shown alone takes it back. */
export function prepend(transcript: Transcript, events: readonly TranscriptEvent[]): Transcript {
  const older = events.filter((event) => event.seq < (transcript.firstSeq ?? Infinity))
  if (older.length === 0) return transcript
  const front = fold([], older)
  return {
    rows: [...front, ...transcript.rows],
    firstSeq: older[0]?.seq ?? transcript.firstSeq,
    lastSeq: transcript.lastSeq ?? older.at(-1)?.seq ?? null,
  }
}

/** How far back the tool of a result is looked for: results come soon after their calls. */
const resultDistance = 300

const callOf = new WeakMap<TranscriptRow, string>()

function fold(rows: TranscriptRow[], events: readonly TranscriptEvent[]): TranscriptRow[] {
  for (const event of events) {
    if (event.kind === 'tool_result') addResult(rows, event)
    else if (event.kind === 'output') addOutput(rows, event)
    else {
      const row = rowOf(event)
      if (row === null) continue
      if (event.payload.callId) callOf.set(row, event.payload.callId)
      rows.push(row)
    }
  }
  return rows
}

function addResult(rows: TranscriptRow[], event: TranscriptEvent): void {
  const { payload } = event
  const result = {
    output: payload.output ?? payload.text ?? '',
    failed: payload.failed === true,
    at: event.at,
  }
  const index = findCall(rows, payload.callId ?? null)
  const call = rows[index]
  if (call?.kind === 'tool') {
    const row: ToolRow = { ...call, result }
    const id = callOf.get(call)
    if (id !== undefined) callOf.set(row, id)
    rows[index] = row
    return
  }
  rows.push({
    kind: 'tool',
    seq: event.seq,
    at: event.at,
    name: payload.name ?? 'Result',
    summary: '',
    input: '',
    result,
  })
}

/** The call with the id; without one the last call that has no result. */
function findCall(rows: readonly TranscriptRow[], callId: string | null): number {
  for (let index = rows.length - 1; index >= Math.max(0, rows.length - resultDistance); index -= 1) {
    const row = rows[index]
    if (row?.kind !== 'tool') continue
    if (callId === null ? row.result === null : callOf.get(row) === callId) return index
  }
  return -1
}

function addOutput(rows: TranscriptRow[], event: TranscriptEvent): void {
  const stream = event.payload.stream ?? 'stdout'
  const text = event.payload.text ?? ''
  const lineCount = countLines(text)
  const last = rows.at(-1)
  if (last?.kind === 'output' && last.stream === stream && last.lineCount + lineCount <= mostLinesPerBlock) {
    rows[rows.length - 1] = { ...last, text: `${last.text}\n${text}`, lineCount: last.lineCount + lineCount }
    return
  }
  rows.push({ kind: 'output', seq: event.seq, at: event.at, stream, text, lineCount })
}

function rowOf({ seq, at, kind, payload }: TranscriptEvent): TranscriptRow | null {
  const base = { seq, at }
  switch (kind) {
    case 'text':
    case 'thought':
    case 'notice':
    case 'retry':
    case 'warning':
    case 'error':
      return { ...base, kind, text: payload.text ?? '' }
    case 'tool':
      return {
        ...base,
        kind,
        name: payload.name ?? 'Tool',
        summary: payload.summary ?? '',
        input: payload.input ?? '',
        result: null,
      }
    case 'session':
      return { ...base, kind, nativeId: payload.nativeId ?? '', proof: payload.proof ?? null }
    case 'result':
      return { ...base, kind, text: payload.text ?? '', succeeded: payload.succeeded !== false }
    case 'cut':
      return { ...base, kind, bytes: payload.bytes ?? 0, keptBytes: payload.keptBytes ?? 0 }
    case 'usage':
    case 'tool_result':
    case 'output':
      return null
  }
}

export function countLines(text: string): number {
  if (text === '') return 0
  let count = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Where the row with this number is; null when there is none. */
export function indexOfSeq(rows: readonly TranscriptRow[], seq: number): number | null {
  let from = 0
  let to = rows.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((rows[middle]?.seq ?? 0) < seq) from = middle + 1
    else to = middle
  }
  return rows[from]?.seq === seq ? from : null
}

/** Whether a row tells of something that went wrong; the next and previous error go to these. */
export const isError = (row: TranscriptRow): boolean =>
  row.kind === 'error' ||
  (row.kind === 'tool' && row.result?.failed === true) ||
  (row.kind === 'result' && !row.succeeded)

/** All words of a row, for searching. */
export function rowText(row: TranscriptRow): string {
  switch (row.kind) {
    case 'tool':
      return `${row.name}\n${row.summary}\n${row.input}\n${row.result?.output ?? ''}`
    case 'session':
      return row.nativeId
    case 'cut':
      return ''
    default:
      return row.text
  }
}
