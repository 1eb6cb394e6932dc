import { neutraliseControls } from '@main/core/stream/control-sequences'
import type { JsonRecord } from '@main/ports/hand-made-sessions'
import type { PlainFile } from './plain-files'

/** What is read of a long file to describe it: enough for what a CLI writes before the first words, and its last lines. */
const headBytes = 512 * 1024
const tailBytes = 64 * 1024

/** Records at the beginning and at the end of a file of JSON; what cannot be read is left out. */
export async function someRecords(file: PlainFile, isOneRecord: boolean): Promise<readonly JsonRecord[]> {
  const head = await textAt(file, 0, headBytes)
  if (isOneRecord) return recordsOf([head])
  const tailStart = Math.max(headBytes, file.bytes - tailBytes)
  const tail = tailStart >= file.bytes ? '' : await textAt(file, tailStart, tailBytes)
  return recordsOf([...head.split('\n'), ...tail.split('\n')])
}

async function textAt({ handle }: PlainFile, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead).toString('utf8')
}

const recordsOf = (lines: readonly string[]): readonly JsonRecord[] =>
  lines.map(parseRecord).filter((record) => record !== null)

/** null: no JSON, or no object. */
export function parseRecord(line: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null
  } catch {
    return null
  }
}

const mostCharacters = 160

/** Words that somebody else wrote, on one line, for people. */
export function oneLine(text: string | null): string | null {
  if (text === null) return null
  const line = neutraliseControls(text.slice(0, mostCharacters * 4))
    // What turns the direction of writing could make a title look like something else.
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (line === '') return null
  const characters = [...line]
  return characters.length <= mostCharacters ? line : `${characters.slice(0, mostCharacters - 1).join('')}…`
}
