import { z } from 'zod'

/*
 * What goes over `engine.sock`: one JSON object per line. Every request carries an id that its answers repeat;
 * a subscription goes on under its id until it is ended.
 */

/** No line may be longer, in either direction; a peer that sends one is cut off. */
export const longestLine = 32 * 1024 * 1024

const id = z.number().int().min(0)

export const requestSchema = z.union([
  z.object({ id, channel: z.string().max(200), input: z.unknown() }),
  z.object({ id, subscribe: z.string().max(200), key: z.unknown() }),
  z.object({ id, unsubscribe: z.literal(true) }),
  z.object({ id, handOver: z.literal(true) }),
])
export type SocketRequest = z.infer<typeof requestSchema>

const errorSchema = z.object({ type: z.string(), message: z.string() })

export const answerSchema = z.union([
  z.object({ id, error: errorSchema }),
  z.object({ id, subscribed: z.literal(true) }),
  z.object({ id, handOver: z.enum(['accepted', 'done', 'refused']) }),
  z.object({ id, event: z.unknown() }).refine((answer) => 'event' in answer),
  z.object({ id, result: z.unknown() }),
])
export type SocketAnswer = z.infer<typeof answerSchema>

export type ParsedLine = { readonly type: 'parsed'; readonly json: unknown } | { readonly type: 'not_json' }

/**
 * Cuts a byte stream into lines of JSON. Keeps at most one unfinished line, of at most `longest` bytes;
 * `push` says false once that is passed, and the stream must be given up.
 */
export function createLineReader(
  longest: number,
  onLine: (line: ParsedLine) => void,
): (chunk: Buffer) => boolean {
  let pending: Buffer[] = []
  let pendingBytes = 0

  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const rest = chunk.subarray(start, end)
      if (pendingBytes + rest.length > longest) return false
      onLine(parseLine(Buffer.concat([...pending, rest])))
      pending = []
      pendingBytes = 0
      start = end + 1
    }
    const rest = chunk.subarray(start)
    pendingBytes += rest.length
    if (pendingBytes > longest) return false
    if (rest.length > 0) pending.push(rest)
    return true
  }
}

function parseLine(line: Buffer): ParsedLine {
  try {
    return { type: 'parsed', json: JSON.parse(line.toString('utf8')) }
  } catch {
    return { type: 'not_json' }
  }
}
