import type { Database } from 'better-sqlite3'
import type { RunEventStore, StoredEvent } from '@main/ports/stores'
import { fromJson, toJson } from './row-values'

type EventRow = Omit<StoredEvent, 'payload'> & { readonly payload: string }

const columns = 'run_id AS runId, seq, at, kind, payload'

/** Writes `run_events`. Events are only ever appended, so a run's last seq is also their count. */
export function createRunEventStore(db: Database): RunEventStore {
  const lastSeq = db
    .prepare<[number], number>('SELECT coalesce(max(seq), 0) FROM run_events WHERE run_id = ?')
    .pluck()
  const add = db.prepare<[number, number, number, string, string]>(
    'INSERT INTO run_events (run_id, seq, at, kind, payload) VALUES (?, ?, ?, ?, ?)',
  )
  const listAfter = db.prepare<[number, number, number], EventRow>(
    `SELECT ${columns} FROM run_events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const listBefore = db.prepare<[number, number, number], EventRow>(
    `SELECT ${columns} FROM run_events WHERE run_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  )
  const append = db.transaction<RunEventStore['append']>((runId, events) => {
    const last = lastSeq.get(runId) ?? 0
    return events.map(({ at, kind, payload }, index) => {
      const seq = last + index + 1
      add.run(runId, seq, at, kind, toJson(payload))
      return { runId, seq, at, kind, payload }
    })
  })

  return {
    append,
    list: (runId, afterSeq, limit) => listAfter.all(runId, afterSeq, limit).map(toEvent),
    listBefore: (runId, beforeSeq, limit) =>
      listBefore.all(runId, beforeSeq, limit).toReversed().map(toEvent),
    count: (runId) => lastSeq.get(runId) ?? 0,
  }
}

const toEvent = (row: EventRow): StoredEvent => ({ ...row, payload: fromJson(row.payload) })
