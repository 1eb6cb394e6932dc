import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib'
import type { RunEventKind } from '@shared/model/words'
import { StorageError } from '@main/ports/storage-failure'
import type { EventColumns } from './event-columns'
import { fromJson, toJson } from './row-values'

/*
 * Many events as one value; its format is told where its column is made, in the migrations.
 */

/** An event without the run and the number that it has there. */
export interface PackedEvent extends EventColumns {
  readonly at: number
  readonly kind: RunEventKind
}

type Head = readonly [at: number, kind: RunEventKind, payload: unknown, length: number]

const noText = -1
const compress = promisify(brotliCompress)
/** Twice as fast as writing what it takes away; the next one up is three times as slow. */
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 }, chunkSize: 262_144 }

/** Used again and again: a new one for each pack would have to be cleared by the system and collected. */
const scratches: Buffer[] = []
/** More are under way at once only by chance. */
const keptScratches = 4
const scratchBytes = 2_000_000
/** What fills less than this part of it waits elsewhere: a flood of blank lines makes hundreds of packs at once. */
const smallShare = 8
/** Before the texts is room for the line that is known when they are. */
const headRoom = 256_000
/** So much of that line at most is held as text: its many small parts would be moved about by the collector. */
const heldOfLine = 4_096
/** A UTF-16 unit takes at most so many bytes of UTF-8. */
const bytesOfUnit = 3

/** Events on their way into one pack. Of what was added nothing but its bytes is held, so its objects die young. */
export interface Packing {
  add(event: PackedEvent): void
  readonly events: () => number
  /** Compressed by one of the runtime's own threads once it is its turn; nothing is added any more. */
  finish(turn: Promise<unknown>): Promise<Buffer>
}

export function beginPacking(): Packing {
  const line: Buffer[] = []
  let heads = '['
  let events = 0
  let scratch = scratches.pop() ?? Buffer.allocUnsafeSlow(scratchBytes)
  let end = headRoom

  const makeRoom = (bytes: number): void => {
    if (end + bytes <= scratch.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(scratch.length * 2, end + bytes))
    scratch.copy(larger, 0, 0, end)
    scratch = larger
  }

  return {
    add(event) {
      const { text } = event
      heads += events === 0 ? headOf(event) : `,${headOf(event)}`
      events += 1
      if (heads.length > heldOfLine) {
        line.push(Buffer.from(heads))
        heads = ''
      }
      if (text === null) return
      makeRoom(bytesOfUnit * text.length)
      end += scratch.write(text, end)
    },
    events: () => events,
    async finish(turn) {
      const before = Buffer.concat([...line, Buffer.from(`${heads}]\n`)])
      const begin = headRoom - before.length
      if (begin >= 0) before.copy(scratch, begin)
      const whole =
        begin >= 0 ? scratch.subarray(begin, end) : Buffer.concat([before, scratch.subarray(headRoom, end)])
      const isSmall = whole.length * smallShare <= scratch.length
      const waiting = isSmall ? Buffer.from(whole) : whole
      if (isSmall) giveBack(scratch)
      await turn
      try {
        return await compress(waiting, options)
      } finally {
        if (!isSmall) giveBack(scratch)
      }
    },
  }
}

function giveBack(scratch: Buffer): void {
  if (scratches.length < keptScratches) scratches.push(scratch)
}

const headOf = ({ at, kind, payload, text }: PackedEvent): string =>
  `[${at},"${kind}",${payload},${text?.length ?? noText}]`

/** Throws a StorageError for what was damaged since. */
export function unpackEvents(body: Buffer): readonly PackedEvent[] {
  const whole = unpacked(body)
  let begin = whole.indexOf('\n') + 1
  return (fromJson(whole.slice(0, begin)) as readonly Head[]).map(([at, kind, payload, length]) => {
    const text = length === noText ? null : whole.slice(begin, begin + length)
    begin += text?.length ?? 0
    return { at, kind, payload: toJson(payload), text }
  })
}

function unpacked(body: Buffer): string {
  try {
    return brotliDecompressSync(body).toString('utf8')
  } catch (error) {
    throw new StorageError('database_damaged', 'packed events do not read', 'PACKED_EVENTS', error)
  }
}
