import type { RunEventKind } from '@shared/model/words'
import { fromJson, toJson } from './row-values'

/*
 * A payload in its two columns: the text that may be long as it is, the rest of it as JSON.
 */

export interface EventColumns {
  readonly payload: string
  /** null: the payload is whole. */
  readonly text: string | null
}

type Fields = Readonly<Record<string, unknown>>

/** The field of a payload that may be long. */
function textField(kind: RunEventKind): 'input' | 'output' | 'text' {
  if (kind === 'tool') return 'input'
  return kind === 'tool_result' ? 'output' : 'text'
}

/** Throws for what JSON does not know. */
export function toEventColumns(kind: RunEventKind, payload: unknown): EventColumns {
  const field = textField(kind)
  if (isRecord(payload)) {
    const text = payload[field]
    // Half a character has no place in a column's UTF-8; JSON has an escape for it.
    if (typeof text === 'string' && text.isWellFormed())
      return { payload: toJson(without(payload, field)), text }
  }
  return { payload: toJson(payload), text: null }
}

/** Made field by field, which takes a third of the time of a spread. */
function without(fields: Fields, name: string): Fields {
  const rest: Record<string, unknown> = {}
  for (const field in fields) if (field !== name) rest[field] = fields[field]
  return rest
}

/** The payload as it was stored. */
export function fromEventColumns(kind: RunEventKind, { payload, text }: EventColumns): unknown {
  const rest = fromJson(payload)
  return text === null ? rest : { ...(rest as Fields), [textField(kind)]: text }
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
