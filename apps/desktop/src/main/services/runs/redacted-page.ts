import type { Redact } from '../../core/redact/redact'
import type { LogPage } from '../../ports/run-logs'

/*
 * A page of a log that is still being written, redacted on the way. A secret can lie across the edge of a page, so the
 * edge is moved back to a place where none does; the pages on both sides find the same place.
 */

/** Bytes on either side of an edge that a secret can reach over; longer than any that is known. */
const reach = 32_000

type ReadLog = (offset: number, bytes: number) => Promise<LogPage | null>

export async function readRedactedPage(
  read: ReadLog,
  offset: number,
  limit: number,
  redact: Redact,
): Promise<LogPage | null> {
  const page = await read(offset, limit)
  if (page === null) return null
  const end = offset + limit
  const start = await readEdge(read, offset)
  const taken = charactersOver(start, redact)
  const left =
    end < page.totalBytes ? charactersOver(await readEdge(read, end), redact) : unfinished(page.text)
  const whole = start.before + page.text
  const from = start.before.length - taken
  return { ...page, text: redact(whole.slice(from, Math.max(from, whole.length - left))) }
}

interface Edge {
  readonly before: string
  readonly after: string
}

async function readEdge(read: ReadLog, at: number): Promise<Edge> {
  const before = at === 0 ? null : await read(Math.max(0, at - reach), Math.min(reach, at))
  const after = await read(at, reach)
  return { before: before?.text ?? '', after: after?.text ?? '' }
}

/** How many characters before the edge belong to the page behind it: the fewest found with which no secret is cut. */
function charactersOver({ before, after }: Edge, redact: Redact): number {
  const whole = redact(before + after)
  for (let over = 0; over < before.length; over = over === 0 ? 16 : over * 2) {
    const cut = before.length - over
    if (redact(before.slice(0, cut)) + redact(before.slice(cut) + after) === whole) return over
  }
  return before.length
}

/** The last line may be half of a secret as long as its end is not written. */
const unfinished = (text: string): number => Math.min(reach, text.length - (text.lastIndexOf('\n') + 1))
