import { assertPresent } from '@shared/assert'

/** SQLite has no booleans. */
export const toFlag = (value: boolean): 0 | 1 => (value ? 1 : 0)
export const fromFlag = (value: number): boolean => value === 1

/** Text of a JSON column. The column's CHECK keeps anything else out, so a failure here is a defect. */
export const fromJson = (text: string): unknown => JSON.parse(text)

/** JSON text of a value; throws for what JSON does not know (undefined, functions). */
export function toJson(value: unknown): string {
  return assertPresent(JSON.stringify(value) as string | undefined, 'only JSON values are stored')
}

/** The SELECT list that reads columns under the names of a record's fields. */
export function selectList(columns: Readonly<Record<string, string>>, table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`
  return Object.entries(columns)
    .map(([field, column]) => `${prefix}${column} AS ${field}`)
    .join(', ')
}

/** A row that must exist, as the caller holds its id. */
export function existing<T>(row: T | undefined, what: string, id: number): T {
  if (row === undefined) throw new Error(`no ${what} with id ${id}`)
  return row
}
