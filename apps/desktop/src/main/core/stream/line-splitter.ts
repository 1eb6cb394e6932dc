import { secretReach } from '../redact/safe-cut'
import { lookAtBytes, neutraliseControls } from './control-sequences'

/*
 * Bytes into lines. The bytes come from a program that nobody trusts: a line may be endless, no UTF-8, or full of
 * control sequences. Memory stays bounded by `maxLineBytes`, and how the bytes were cut into chunks changes nothing.
 */

export interface StreamLine {
  /** Text of the line without its end, control sequences neutralised, invalid bytes as U+FFFD. */
  readonly text: string
  /** What follows `text` on an overlong line, as far as a secret can reach over the cut; empty for a whole line. */
  readonly beyond: string
  /** Bytes of an overlong line that are not in `text`; 0 for a whole line. */
  readonly droppedBytes: number
  /** Bytes that the line took in the stream, its end included. */
  readonly streamBytes: number
}

/** Lines that follow each other. */
export interface LineGroup {
  readonly lines: readonly StreamLine[]
  /**
   * Their texts in one, a line feed behind each, where they were decoded as that: whoever looks for something in all of
   * them need not join them. null: they were decoded one by one.
   */
  readonly whole: string | null
}

export interface LineSplitterLimits {
  /** A longer line is cut. */
  readonly maxLineBytes: number
  /** What stays of a cut line. */
  readonly keptBytes: number
}

export const defaultLineLimits: LineSplitterLimits = { maxLineBytes: 4_000_000, keptBytes: 16_384 }

export interface LineSplitter {
  /** Lines that ended in this chunk. */
  push(chunk: Uint8Array): readonly StreamLine[]
  /** The same, in the groups in which they were decoded. */
  pushGrouped(chunk: Uint8Array): readonly LineGroup[]
  /** The last line when the stream ends without a line feed. */
  end(): readonly StreamLine[]
  /**
   * Bytes taken in after the last returned line. A reader that must find the same lines again after a restart
   * stores its position minus these.
   */
  pendingBytes(): number
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

export function createLineSplitter(limits: LineSplitterLimits = defaultLineLimits): LineSplitter {
  const mostOfCut = limits.keptBytes + secretReach
  let parts: Uint8Array[] = []
  let held = 0
  /** Bytes of the current line so far; more than `held` once it is overlong. */
  let taken = 0

  const isOverlong = (): boolean => taken > limits.maxLineBytes

  const take = (part: Uint8Array): void => {
    if (part.length === 0) return
    const room = isOverlong() ? Math.max(0, mostOfCut - held) : Infinity
    taken += part.length
    if (room === 0) return
    // A copy: the caller may use its buffer again. A Buffer's own slice makes none.
    const kept = new Uint8Array(part.subarray(0, room))
    parts.push(kept)
    held += kept.length
    if (isOverlong() && held > mostOfCut) {
      parts = [joined(parts, held).slice(0, mostOfCut)]
      held = mostOfCut
    }
  }

  const finish = (endBytes: number): StreamLine => {
    const bytes = joined(parts, held)
    const line = isOverlong()
      ? cutLine(bytes, taken, endBytes)
      : wholeLine(viewOf(bytes), 0, bytes.length, endBytes, textOf)
    parts = []
    held = 0
    taken = 0
    return line
  }

  const cutLine = (bytes: Uint8Array, lineBytes: number, endBytes: number): StreamLine => {
    const most = bytes.subarray(0, limits.keptBytes)
    const kept = most.subarray(0, endOfLastCharacter(most))
    return {
      text: textOf(viewOf(bytes), 0, kept.length),
      beyond: textOf(viewOf(bytes), kept.length, bytes.length),
      droppedBytes: lineBytes - kept.length,
      streamBytes: lineBytes + endBytes,
    }
  }

  const pushGrouped = (chunk: Uint8Array): readonly LineGroup[] => {
    const groups: LineGroup[] = []
    let lines: StreamLine[] = []
    const endGroup = (): void => {
      if (lines.length > 0) groups.push({ lines, whole: null })
      lines = []
    }
    const view = viewOf(chunk)
    const look = lookAtBytes(view)
    const decode = look === 'controls' ? textOf : plainTextOf
    const isPlain = look === 'ascii' && view.length <= limits.maxLineBytes
    let from = 0
    for (;;) {
      if (isPlain && taken === 0) {
        endGroup()
        from += plainLines(view, from, groups)
      }
      const at = view.indexOf(lineFeed, from)
      if (at === -1) break
      if (taken === 0 && at - from <= limits.maxLineBytes) {
        lines.push(wholeLine(view, from, at, 1, decode))
      } else {
        take(chunk.subarray(from, at))
        lines.push(finish(1))
      }
      from = at + 1
    }
    take(chunk.subarray(from))
    endGroup()
    return groups
  }

  return {
    push: (chunk) => pushGrouped(chunk).flatMap(({ lines }) => lines),
    pushGrouped,
    end: () => (taken === 0 ? [] : [finish(0)]),
    pendingBytes: () => taken,
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts
  if (first === undefined) return new Uint8Array(0)
  if (parts.length === 1) return first
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Finds and decodes several times as fast as the array itself, and a part of it without a view of that part. */
const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

type Decode = (view: Buffer, from: number, end: number) => string

function wholeLine(view: Buffer, from: number, end: number, endBytes: number, decode: Decode): StreamLine {
  const hasReturn = end > from && view[end - 1] === carriageReturn
  return {
    text: decode(view, from, hasReturn ? end - 1 : end),
    beyond: '',
    droppedBytes: 0,
    streamBytes: end - from + endBytes,
  }
}

/** So short that the engine of the language keeps a text of it among those that it soon forgets. */
const decodedBytes = 65_536

/**
 * Whole lines of ASCII without control sequences, where a character is a byte: many are decoded at once and then cut,
 * which takes a third of the time of a line after the other. Returns the bytes that they took; what is left has no
 * line, or one that is longer.
 */
function plainLines(view: Buffer, from: number, groups: LineGroup[]): number {
  let taken = 0
  for (;;) {
    const piece = view.subarray(from + taken, from + taken + decodedBytes)
    const text = piece.toString('latin1', 0, piece.lastIndexOf(lineFeed) + 1)
    if (text === '') return taken
    const lines: StreamLine[] = []
    let begin = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', begin)) {
      lines.push({ text: text.slice(begin, end), beyond: '', droppedBytes: 0, streamBytes: end + 1 - begin })
      begin = end + 1
    }
    groups.push({ lines, whole: text })
    taken += begin
  }
}

/** Invalid bytes become U+FFFD. A byte order mark is text like any other. */
const plainTextOf: Decode = (view, from, end) => view.toString('utf8', from, end)

const textOf: Decode = (view, from, end) => neutraliseControls(plainTextOf(view, from, end))

/** Where a cut does not fall inside a UTF-8 character: its lead byte is at most three bytes before the end. */
function endOfLastCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return back < characterLength(byte) ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}
