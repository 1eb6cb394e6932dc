import type { Database, Statement } from 'better-sqlite3'

type Bindable = string | number | bigint | null

/**
 * Makes an update for any part of a row: `columns` maps the patch's fields to column names.
 * One statement is prepared per combination of fields, of which the app uses a handful.
 */
export function createRowPatcher<Patch extends object>(
  db: Database,
  table: string,
  columns: Readonly<Record<keyof Patch & string, string>>,
): (id: number, patch: Patch) => void {
  const prepared = new Map<string, Statement<Bindable[]>>()

  return (id, patch) => {
    const fields = Object.entries(patch).filter(([, value]) => value !== undefined)
    if (fields.length === 0) return
    const key = fields.map(([field]) => field).join()
    const statement =
      prepared.get(key) ?? db.prepare<Bindable[]>(updateSql(fields.map(([field]) => columnOf(field))))
    prepared.set(key, statement)
    const { changes } = statement.run(...fields.map(([, value]) => toBindable(value)), id)
    if (changes !== 1) throw new Error(`no row ${id} in ${table}`)
  }

  function columnOf(field: string): string {
    const column = (columns as Readonly<Record<string, string>>)[field]
    if (column === undefined) throw new Error(`${table} has no field ${field} to update`)
    return column
  }

  function updateSql(names: readonly string[]): string {
    return `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`
  }
}

function toBindable(value: unknown): Bindable {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new Error(`a ${typeof value} cannot be stored in a column`)
}
