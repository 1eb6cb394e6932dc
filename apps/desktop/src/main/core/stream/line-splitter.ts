import { secretReach } from '../redact/safe-cut'
import { neutraliseControls } from './control-sequences'

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
  // Not fatal: invalid bytes become U+FFFD. A byte order mark is text like any other.
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
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
    // A copy: the caller may use its buffer again.
    const kept = part.slice(0, room)
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
      : {
          text: neutraliseControls(decoder.decode(withoutReturn(bytes))),
          beyond: '',
          droppedBytes: 0,
          streamBytes: taken + endBytes,
        }
    parts = []
    held = 0
    taken = 0
    return line
  }

  const cutLine = (bytes: Uint8Array, lineBytes: number, endBytes: number): StreamLine => {
    const most = bytes.subarray(0, limits.keptBytes)
    const kept = most.subarray(0, endOfLastCharacter(most))
    return {
      text: neutraliseControls(decoder.decode(kept)),
      beyond: neutraliseControls(decoder.decode(bytes.subarray(kept.length))),
      droppedBytes: lineBytes - kept.length,
      streamBytes: lineBytes + endBytes,
    }
  }

  return {
    push: (chunk) => {
      const lines: StreamLine[] = []
      let from = 0
      for (;;) {
        const at = chunk.indexOf(lineFeed, from)
        if (at === -1) break
        take(chunk.subarray(from, at))
        lines.push(finish(1))
        from = at + 1
      }
      take(chunk.subarray(from))
      return lines
    },
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

const withoutReturn = (bytes: Uint8Array): Uint8Array =>
  bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes

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
