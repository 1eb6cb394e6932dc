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
/** A UTF-16 unit takes at most so many bytes of UTF-8. */
const bytesOfUnit = 3

/** Compressed by one of the runtime's own threads. What the events are is read before it returns. */
export async function packEvents(events: readonly PackedEvent[]): Promise<Buffer> {
  const heads = `[${events.map(headOf).join(',')}]\n`
  const most = bytesOfUnit * events.reduce((sum, { text }) => sum + (text?.length ?? 0), heads.length)
  let scratch = scratches.pop()
  if (scratch === undefined || most > scratch.length) scratch = Buffer.allocUnsafeSlow(most)
  let end = scratch.write(heads)
  for (const { text } of events) if (text !== null) end += scratch.write(text, end)
  try {
    return await compress(scratch.subarray(0, end), options)
  } finally {
    scratches.push(scratch)
  }
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
