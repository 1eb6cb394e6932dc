import type { Database } from 'better-sqlite3'
import type { RunId } from '@shared/model/ids'
import { unpackEvents, type PackedEvent } from './event-pack'

/** An event as it stands in `run_events`. */
export interface EventRow extends PackedEvent {
  readonly runId: RunId
  readonly seq: number
}

interface Pack {
  readonly id: number
  readonly runId: RunId
  readonly firstSeq: number
  readonly body: Buffer
}

/** Writes `packed_events`. */
export function createPackedEvents(db: Database) {
  const columns = 'id, run_id AS runId, first_seq AS firstSeq, body'
  const insert = db.prepare<[number, number, number, Uint8Array]>(
    'INSERT INTO packed_events (run_id, first_seq, last_seq, body) VALUES (?, ?, ?, ?)',
  )
  const lastSeq = db
    .prepare<[number], number>('SELECT coalesce(max(last_seq), 0) FROM packed_events WHERE run_id = ?')
    .pluck()
  const nextAfter = db.prepare<[number, number], Pack>(
    `SELECT ${columns} FROM packed_events WHERE run_id = ? AND last_seq > ? ORDER BY last_seq LIMIT 1`,
  )
  const nextBefore = db.prepare<[number, number], Pack>(
    `SELECT ${columns} FROM packed_events WHERE run_id = ? AND first_seq < ? ORDER BY first_seq DESC LIMIT 1`,
  )
  const oldest = db.prepare<[], Pack>(`SELECT ${columns} FROM packed_events ORDER BY id LIMIT 1`)
  const latestId = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM packed_events').pluck()
  const remove = db.prepare<[number]>('DELETE FROM packed_events WHERE id = ?')

  return {
    /** What `packEvents` made of events of one run with numbers that follow each other. */
    add(runId: RunId, firstSeq: number, events: number, body: Uint8Array): void {
      insert.run(runId, firstSeq, firstSeq + events - 1, body)
    },
    lastSeq: (runId: RunId): number => lastSeq.get(runId) ?? 0,
    /** The first `limit` after a number, in order; fewer where there are fewer. */
    after(runId: RunId, seq: number, limit: number): readonly EventRow[] {
      const found: EventRow[] = []
      let last = seq
      while (found.length < limit) {
        const rows = rowsOf(nextAfter.get(runId, last))
        if (rows.length === 0) break
        found.push(...rows.filter((row) => row.seq > seq))
        last = rows.at(-1)?.seq ?? last
      }
      return found.slice(0, limit)
    },
    /** The last `limit` before a number, in order; fewer where there are fewer. */
    before(runId: RunId, seq: number, limit: number): readonly EventRow[] {
      const found: EventRow[] = []
      let first = seq
      while (found.length < limit) {
        const rows = rowsOf(nextBefore.get(runId, first))
        if (rows.length === 0) break
        found.unshift(...rows.filter((row) => row.seq < seq))
        first = rows[0]?.seq ?? first
      }
      return found.slice(-limit)
    },
    /** Takes the oldest ones out, to be stored elsewhere in the same transaction; none: there are no more. */
    takeOldest(): readonly EventRow[] {
      const pack = oldest.get()
      if (pack !== undefined) remove.run(pack.id)
      return rowsOf(pack)
    },
    /** Another number than before: more was packed. 0: nothing is. */
    latestId: (): number => latestId.get() ?? 0,
  }
}

function rowsOf(pack: Pack | undefined): readonly EventRow[] {
  if (pack === undefined) return []
  const { runId, firstSeq, body } = pack
  return unpackEvents(body).map((event, index) => ({ runId, seq: firstSeq + index, ...event }))
}
