import type { Database } from 'better-sqlite3'
import { toFlag } from '../row-values'

type Columns = Readonly<Record<string, string>>

/** Adds a row with its own id where that is free, else with a new one. Returns the id that it has. */
export function addRow<T extends object & { readonly id: number }>(
  db: Database,
  table: string,
  columns: Columns,
  record: T,
): number {
  const isFree = db.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).get(record.id) === undefined
  const fields = Object.keys(columns).filter((field) => field !== 'id' || isFree)
  const sql = `INSERT INTO ${table} (${fields.map((field) => columns[field]).join(', ')})
    VALUES (${fields.map((field) => `:${field}`).join(', ')}) RETURNING id`
  return db.prepare<[object], number>(sql).pluck().get(bindable(fields, record)) ?? record.id
}

/** Brings a row to what the record says; `kept` names fields that stay as they are. */
export function updateRow(
  db: Database,
  table: string,
  columns: Columns,
  id: number,
  record: object,
  kept: readonly string[],
): void {
  const fields = Object.keys(columns).filter((field) => field !== 'id' && !kept.includes(field))
  const sql = `UPDATE ${table} SET ${fields.map((field) => `${columns[field]} = :${field}`).join(', ')} WHERE id = :id`
  db.prepare(sql).run({ ...bindable(fields, record), id })
}

function bindable(fields: readonly string[], record: object): Readonly<Record<string, unknown>> {
  const values = record as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    fields.map((field) => {
      const value = values[field] ?? null
      return [field, typeof value === 'boolean' ? toFlag(value) : value]
    }),
  )
}
