import { spokenRow } from './row-looks'
import type { TranscriptRow } from '../../lib/transcript/transcript-rows'

/** What a person can listen to at a time; the rest is counted. */
const mostRead = 10

/**
 * "Read new events" of one transcript: each call gives what came since the last one, as a screen reader says it. A row
 * that was read while it went on, as a tool that ran, is read again once it says more.
 */
export function createNewEvents(): { read: (rows: readonly TranscriptRow[]) => string } {
  let heardSeq = 0
  let heard: ReadonlyMap<number, string> = new Map()
  const isNew = (row: TranscriptRow): boolean => {
    if (row.seq > heardSeq) return true
    const before = heard.get(row.seq)
    return before !== undefined && before !== spokenRow(row)
  }
  return {
    read(rows) {
      const fresh = rows.filter(isNew)
      const read = fresh.slice(-mostRead)
      if (read.length === 0) return 'No new events'
      heardSeq = rows.at(-1)?.seq ?? heardSeq
      heard = new Map([...heard, ...read.map((row) => [row.seq, spokenRow(row)] as const)].slice(-mostRead))
      const before = fresh.length - read.length
      const left = before === 0 ? [] : [`${before} ${before === 1 ? 'event' : 'events'} before these`]
      return [...left, ...read.map(spokenRow)].map((words) => words.replace(/[.\s]+$/, '')).join('. ')
    },
  }
}
