import type { Database } from 'better-sqlite3'
import type { RunEventStore, StoredEvent } from '@main/ports/stores'
import type { Checkpoints } from './checkpoints'
import { fromEventColumns, toEventColumns } from './event-columns'
import { beginPack, packsOf } from './begun-packs'
import { createPackedEvents, type EventRow } from './packed-events'

const columns = 'run_id AS runId, seq, at, kind, payload, text'
/** Rows of one statement: a statement costs about as much as a short row. */
const rowsAtOnce = 20

/**
 * Writes `run_events`, where an event is a row, and `packed_events`, from where they come to that later. Events are
 * only ever appended, so a run's last seq is also their count.
 */
export function createRunEventStore(db: Database, checkpoints?: Checkpoints): RunEventStore {
  const packed = createPackedEvents(db)
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
  const count: RunEventStore['count'] = (runId) => Math.max(lastSeq.get(runId) ?? 0, packed.lastSeq(runId))

  /** Returns the bytes that were stored. */
  const layOut = (rows: readonly EventRow[]): number => {
    const values = rows.map(toValues)
    const inGroups = values.length - (values.length % rowsAtOnce)
    for (let at = 0; at < inGroups; at += rowsAtOnce) addMany.run(...values.slice(at, at + rowsAtOnce).flat())
    for (const row of values.slice(inGroups)) addOne.run(...row)
    return rows.reduce((sum, { payload, text }) => sum + payload.length + (text?.length ?? 0), 0)
  }

  const append = db.transaction<RunEventStore['append']>((runId, events) => {
    const last = count(runId)
    const stored: StoredEvent[] = []
    const rows: EventRow[] = []
    for (const { at, kind, payload } of events) {
      const event = { runId, seq: last + stored.length + 1, at, kind }
      stored.push({ ...event, payload })
      rows.push({ ...event, ...toEventColumns(kind, payload) })
    }
    const bytes = layOut(rows)
    checkpoints?.written(bytes)
    return stored
  })

  const pack: RunEventStore['pack'] = async (given) => {
    const begun = 'add' in given ? given : beginPack()
    if (!('add' in given)) begun.add(given)
    return { packs: await packsOf(begun) }
  }

  const appendPacked = db.transaction<RunEventStore['appendPacked']>((runId, { packs }) => {
    const firstSeq = count(runId) + 1
    let seq = firstSeq
    for (const { events, body } of packs) {
      packed.add(runId, seq, events, body)
      seq += events
    }
    checkpoints?.written(packs.reduce((sum, { body }) => sum + body.length, 0))
    return firstSeq
  })

  const unpackSome = db.transaction((): boolean => {
    const rows = packed.takeOldest()
    const bytes = layOut(rows)
    checkpoints?.written(bytes)
    return rows.length > 0
  })

  return {
    append,
    beginPack,
    pack,
    appendPacked,
    list: (runId, afterSeq, limit) =>
      inOrder(listAfter.all(runId, afterSeq, limit), packed.after(runId, afterSeq, limit))
        .slice(0, limit)
        .map(toEvent),
    listBefore: (runId, beforeSeq, limit) =>
      inOrder(listBefore.all(runId, beforeSeq, limit), packed.before(runId, beforeSeq, limit))
        .slice(-limit)
        .map(toEvent),
    count,
    latestPacked: () => packed.latestId(),
    unpackSome,
  }
}

const inOrder = (rows: readonly EventRow[], packed: readonly EventRow[]): readonly EventRow[] =>
  [...rows, ...packed].toSorted((a, b) => a.seq - b.seq)

type Values = readonly [number, number, number, string, string, string | null]

const toValues = ({ runId, seq, at, kind, payload, text }: EventRow): Values => [
  runId,
  seq,
  at,
  kind,
  payload,
  text,
]

const toEvent = ({ payload, text, ...row }: EventRow): StoredEvent => ({
  ...row,
  payload: fromEventColumns(row.kind, { payload, text }),
})
