import type { Refusals } from './answer'

/*
 * Fields of a request's JSON, read as strictly as the servers do: a wrong type is 422, a missing field is none.
 */

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

const wrongType = (refuse: Refusals, name: string, value: unknown, wanted: string): Error =>
  refuse(422, `[]: json: cannot unmarshal ${kindOf(value)} into Go struct field ${name} of type ${wanted}`)

export type Fields = Readonly<Record<string, unknown>>

export function textField(body: Fields, name: string, refuse: Refusals): string | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw wrongType(refuse, name, value, 'string')
  // Half a surrogate pair is stored as U+FFFD.
  return Buffer.from(value, 'utf8').toString('utf8')
}

export function numberField(body: Fields, name: string, refuse: Refusals): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number') throw wrongType(refuse, name, value, 'int')
  return value
}

export const flagField = (body: Fields, name: string): boolean | undefined => {
  const value = body[name]
  return typeof value === 'boolean' ? value : undefined
}

export function textsField(body: Fields, name: string, refuse: Refusals): string[] | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw wrongType(refuse, name, value, '[]string')
  return value.map((item) => {
    if (typeof item !== 'string') throw wrongType(refuse, name, item, 'string')
    return item
  })
}

export function idsField(body: Fields, name: string, refuse: Refusals): number[] | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw wrongType(refuse, name, value, '[]int64')
  return value.map((item) => {
    if (typeof item !== 'number') throw wrongType(refuse, name, item, 'int64')
    return item
  })
}

/** `name` as the servers say it in their refusal. */
export function requiredText(body: Fields, name: string, refuse: Refusals): string {
  const text = textField(body, name, refuse)
  if (text === undefined || text === '') {
    throw refuse(422, `[${name.charAt(0).toUpperCase()}${name.slice(1)}]: Required`)
  }
  return text
}

/** RFC 3339; the query's `+` must have been encoded. */
export function timeField(query: URLSearchParams, name: string, refuse: Refusals): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
  const time = form.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) {
    const layout = '2006-01-02T15:04:05Z07:00'
    throw refuse(422, `parsing time "${text}" as "${layout}": cannot parse "${text}" as "2006"`)
  }
  return time
}
