import { containerPaths } from '@main/core/sandbox/container-paths'
import type { JsonRecord, Rekeying } from '@main/ports/hand-made-sessions'

/*
 * What the layouts of the CLIs have in common.
 */

/** A uuid as the name of a file or a folder, or at the end of one. */
export const uuidPart = '(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})'

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The record below a key; an empty one where there is none. */
export const recordAt = (record: JsonRecord, key: string): JsonRecord => {
  const value = record[key]
  return isRecord(value) ? value : {}
}

export const textAt = (record: JsonRecord, key: string): string | null => {
  const value = record[key]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A folder of the person's as the same one below the workspace; the workspace itself where it was none of it. */
export function inWorkspace(path: string, workedIn: string | null): string {
  const rest = workedIn !== null && path.startsWith(workedIn) ? path.slice(workedIn.length) : ''
  return /^\/[^\\]+$/.test(rest) ? `${containerPaths.workspace}${rest}` : containerPaths.workspace
}

/** The record with the keys changed that are there and hold text. */
export function changed(
  record: JsonRecord,
  changes: Readonly<Record<string, (text: string) => string>>,
): JsonRecord {
  const entries = Object.entries(changes).flatMap(([key, change]) => {
    const text = record[key]
    if (typeof text !== 'string') return []
    const now = change(text)
    return now === text ? [] : [[key, now] as const]
  })
  return entries.length === 0 ? record : { ...record, ...Object.fromEntries(entries) }
}

/** The same for a record inside of one. */
export function changedInside(
  record: JsonRecord,
  key: string,
  changes: Readonly<Record<string, (text: string) => string>>,
): JsonRecord {
  const inner = record[key]
  if (!isRecord(inner)) return record
  const now = changed(inner, changes)
  return now === inner ? record : { ...record, [key]: now }
}

export const rekeyedId =
  ({ fromId, toId }: Rekeying) =>
  (id: string): string =>
    id === fromId ? toId : id

export const rekeyedFolder =
  ({ workedIn }: Rekeying) =>
  (path: string): string =>
    inWorkspace(path, workedIn)
