import type { Redact } from '../../core/redact/redact'
import { charactersOver, secretReach } from '../../core/redact/safe-cut'
import type { LogPage } from '../../ports/run-logs'

/*
 * A page of a log that is still being written, redacted on the way. A secret can lie across the edge of a page, so the
 * edge is moved back to a place where none does; the pages on both sides find the same place.
 */

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
  const taken = charactersOver(start.before, start.after, redact)
  const left = end < page.totalBytes ? await leftForNext(read, end, redact) : unfinished(page.text)
  const whole = start.before + page.text
  const from = start.before.length - taken
  return { ...page, text: redact(whole.slice(from, Math.max(from, whole.length - left))) }
}

interface Edge {
  readonly before: string
  readonly after: string
}

async function readEdge(read: ReadLog, at: number): Promise<Edge> {
  const before = at === 0 ? null : await read(Math.max(0, at - secretReach), Math.min(secretReach, at))
  const after = await read(at, secretReach)
  return { before: before?.text ?? '', after: after?.text ?? '' }
}

async function leftForNext(read: ReadLog, end: number, redact: Redact): Promise<number> {
  const { before, after } = await readEdge(read, end)
  return charactersOver(before, after, redact)
}

/** The last line may be half of a secret as long as its end is not written. */
const unfinished = (text: string): number => Math.min(secretReach, text.length - (text.lastIndexOf('\n') + 1))
