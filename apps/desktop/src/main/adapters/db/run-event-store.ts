import type { Database } from 'better-sqlite3'
import type { RunEventStore, StoredEvent } from '@main/ports/stores'
import type { Checkpoints } from './checkpoints'
import { fromEventColumns, toEventColumns, type EventColumns } from './event-columns'

type EventRow = Omit<StoredEvent, 'payload'> & EventColumns

const columns = 'run_id AS runId, seq, at, kind, payload, text'
/** Rows of one statement: a statement costs about as much as a short row. */
const rowsAtOnce = 20

/** Writes `run_events`. Events are only ever appended, so a run's last seq is also their count. */
export function createRunEventStore(db: Database, checkpoints?: Checkpoints): RunEventStore {
  const lastSeq = db
    .prepare<[number], number>('SELECT coalesce(max(seq), 0) FROM run_events WHERE run_id = ?')
    .pluck()
  const addRows = (rows: number) =>
    db.prepare<(string | number | null)[]>(
      `INSERT INTO run_events (run_id, seq, at, kind, payload, text)
       VALUES ${Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?)').join(', ')}`,
    )
  const addMany = addRows(rowsAtOnce)
  const addOne = addRows(1)
  const listAfter = db.prepare<[number, number, number], EventRow>(
    `SELECT ${columns} FROM run_events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const listBefore = db.prepare<[number, number, number], EventRow>(
    `SELECT ${columns} FROM run_events WHERE run_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  )
  const append = db.transaction<RunEventStore['append']>((runId, events) => {
    const last = lastSeq.get(runId) ?? 0
    const stored = events.map(({ at, kind, payload }, index) => ({
      runId,
      seq: last + index + 1,
      at,
      kind,
      payload,
    }))
    const rows = stored.map(toValues)
    const inGroups = rows.length - (rows.length % rowsAtOnce)
    for (let at = 0; at < inGroups; at += rowsAtOnce) addMany.run(...rows.slice(at, at + rowsAtOnce).flat())
    for (const row of rows.slice(inGroups)) addOne.run(...row)
    checkpoints?.written(
      rows.reduce((sum, [, , , , payload, text]) => sum + payload.length + (text?.length ?? 0), 0),
    )
    return stored
  })

  return {
    append,
    list: (runId, afterSeq, limit) => listAfter.all(runId, afterSeq, limit).map(toEvent),
    listBefore: (runId, beforeSeq, limit) =>
      listBefore.all(runId, beforeSeq, limit).toReversed().map(toEvent),
    count: (runId) => lastSeq.get(runId) ?? 0,
  }
}

type Row = readonly [number, number, number, string, string, string | null]

function toValues({ runId, seq, at, kind, payload }: StoredEvent): Row {
  const columns = toEventColumns(kind, payload)
  return [runId, seq, at, kind, columns.payload, columns.text]
}

const toEvent = ({ payload, text, ...row }: EventRow): StoredEvent => ({
  ...row,
  payload: fromEventColumns(row.kind, { payload, text }),
})
