import type { Database } from 'better-sqlite3'
import type { RunId } from '@shared/model/ids'
import type { RunEventKind } from '@shared/model/words'
import { eventText } from '@main/core/search/event-text'
import type { TranscriptSearch } from '@main/ports/transcript-search'
import { fromEventColumns, type EventColumns } from './event-columns'
import { createIndexedWords } from './indexed-words'

interface EventRow extends EventColumns {
  readonly runId: RunId
  readonly seq: number
  readonly at: number
  readonly kind: RunEventKind
}

/** Hits are counted up to here: the rest is "and more". */
const maxCounted = 1_000

/** Writes `transcript_search` and `transcript_index`. */
export function createTranscriptSearch(db: Database): TranscriptSearch {
  const place = db.prepare<[], number>('SELECT last_event_id FROM transcript_index WHERE id = 1').pluck()
  const behind = db
    .prepare<[], number>(
      `SELECT (SELECT coalesce(max(id), 0) FROM run_events) - last_event_id FROM transcript_index WHERE id = 1`,
    )
    .pluck()
  const setPlace = db.prepare<[number]>('UPDATE transcript_index SET last_event_id = ? WHERE id = 1')
  const next = db.prepare<
    [number, number],
    Pick<EventRow, 'kind' | 'payload' | 'text'> & { readonly id: number }
  >('SELECT id, kind, payload, text FROM run_events WHERE id > ? ORDER BY id LIMIT ?')
  const add = db.prepare<[number, string]>(
    'INSERT OR REPLACE INTO transcript_search (rowid, text) VALUES (?, ?)',
  )
  const match = db
    .prepare<[string, number], number>(
      'SELECT rowid FROM transcript_search WHERE transcript_search MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck()
  const event = db.prepare<[number], EventRow>(
    'SELECT run_id AS runId, seq, at, kind, payload, text FROM run_events WHERE id = ?',
  )
  const wordsBeginning = createIndexedWords(db)
  const indexNext = db.transaction((limit: number): number => {
    const events = next.all(place.get() ?? 0, limit)
    for (const { id, kind, ...columns } of events) {
      const text = eventText(fromEventColumns(kind, columns))
      if (text !== '') add.run(id, text)
    }
    const last = events.at(-1)
    if (last !== undefined) setPlace.run(last.id)
    return events.length
  })

  return {
    indexNext,
    behind: () => behind.get() ?? 0,
    find(words, limit) {
      const query = fullTextQuery(words, wordsBeginning)
      if (query === null) return { events: [], total: 0, isTotalCut: false }
      // One pass for hits and count: a second one would take as long again.
      const ids = match.all(query, Math.max(limit, maxCounted + 1))
      return {
        events: ids.slice(0, limit).flatMap((id) => toEvent(event.get(id))),
        total: Math.min(ids.length, maxCounted),
        isTotalCut: ids.length > maxCounted,
      }
    },
  }
}

function toEvent(row: EventRow | undefined) {
  if (row === undefined) return []
  const { payload, text, ...event } = row
  return [{ ...event, payload: fromEventColumns(row.kind, { payload, text }) }]
}

/** Every word, the last one as a beginning; quoted, so that none is an operator. Null: nothing holds them. */
function fullTextQuery(
  words: readonly string[],
  wordsBeginning: (beginning: string) => readonly string[] | null,
): string | null {
  const last = words.at(-1)
  if (last === undefined) return null
  const known = wordsBeginning(last)
  if (known?.length === 0) return null
  const lastOne = known === null ? `${quoted(last)}*` : `(${known.map(quoted).join(' OR ')})`
  return [...words.slice(0, -1).map(quoted), lastOne].join(' AND ')
}

const quoted = (word: string): string => `"${word.replaceAll('"', '')}"`
