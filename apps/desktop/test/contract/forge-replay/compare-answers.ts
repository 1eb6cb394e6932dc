import type { RecordedResponse } from '../../fixtures/forge-recordings'

/*
 * Is an answer like the recorded one: same status, same headers that a client reads, same keys and types, same
 * values where these are no ids, hashes or times.
 */

export interface GivenAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** Depend on a disk, on people's habits, and on things beside the scene that none of its answers shows. */
const notCompared = new Set([
  'size',
  'language',
  'watchers_count',
  'open_issues_count',
  'open_pr_counter',
  'branch_count',
])

const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g
/** With the length in front that git's protocol writes, too. */
const hashPattern = /\b(?:[0-9a-f]{40,48}|[0-9a-f]{32})\b/g

/** Ids, hashes and times in texts and addresses become words; so does the domain that stands in mail addresses. */
const plain = (text: string): string =>
  text
    .replace(timePattern, 'TIME')
    .replace(hashPattern, 'HASH')
    .replace(/@noreply\.[\w.:-]+/g, '@noreply.HOST')
    .replace(/@(forge\.example|forge\.root\.example|127\.0\.0\.1:\d+)/g, '@HOST')
    .replace(/#issuecomment-\d+/g, '#issuecomment-ID')
    .replace(/\/labels\/\d+/g, '/labels/ID')
    .replace(/"commit_ids":\[[^\]]*\]/, '"commit_ids":[HASH]')

const isIdentity = (key: string): boolean => key === 'id' || key.endsWith('_id') || key === 'sha'

export function differences(recorded: RecordedResponse, given: GivenAnswer): string[] {
  if (recorded.status !== given.status) {
    return [`status ${given.status} instead of ${recorded.status}: ${given.text.slice(0, 300)}`]
  }
  return [...headerDifferences(recorded.headers, given), ...bodyDifferences(recorded, given)]
}

function headerDifferences(recorded: RecordedResponse['headers'], given: GivenAnswer): string[] {
  if (recorded === undefined) return []
  const wanted = Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const read: Readonly<Record<string, (value: string | undefined) => string | undefined>> = {
    'content-type': (value) => value?.toLowerCase().replaceAll(' ', ''),
    'x-total-count': (value) => value,
    link: (value) => (value === undefined ? undefined : plain(value)),
    location: (value) => value,
    allow: (value) => (value === undefined ? undefined : [...new Set(value.split(/,\s*/))].sort().join(', ')),
    'www-authenticate': (value) => value,
  }
  return Object.entries(read).flatMap(([name, normalize]) => {
    const [a, b] = [normalize(wanted[name]), normalize(given.headers[name])]
    return a === b ? [] : [`${name}: ${String(b)} instead of ${String(a)}`]
  })
}

function bodyDifferences(recorded: RecordedResponse, given: GivenAnswer): string[] {
  if (recorded.body !== undefined) return jsonDifferences(recorded.body, parse(given.text), '')
  if (recorded.trimmed !== undefined) return []
  // What git can do is git's own, and differs from version to version.
  const service = /^[0-9a-f]{4}# service=[\w-]+\n/.exec(recorded.text ?? '')?.[0]
  if (service !== undefined) return given.text.startsWith(service) ? [] : ['no advertisement of git']
  const isPage = (recorded.text ?? '').includes('<!DOCTYPE html>')
  if (isPage) return given.text.includes('<!DOCTYPE html>') ? [] : ['no HTML page']
  const [a, b] = [plain(recorded.text ?? ''), plain(given.text)]
  return a === b ? [] : [`text ${JSON.stringify(b)} instead of ${JSON.stringify(a)}`]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return `no JSON: ${text.slice(0, 200)}`
  }
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

type Fields = Record<string, unknown>

function jsonDifferences(recorded: unknown, given: unknown, at: string): string[] {
  if (typeOf(recorded) !== typeOf(given)) {
    return [`${at}: ${typeOf(given)} ${short(given)} instead of ${typeOf(recorded)} ${short(recorded)}`]
  }
  if (Array.isArray(recorded) && Array.isArray(given)) {
    if (recorded.length !== given.length)
      return [`${at}: ${given.length} items instead of ${recorded.length}`]
    return recorded.flatMap((item, index) => jsonDifferences(item, given[index], `${at}[${index}]`))
  }
  if (typeof recorded === 'object' && recorded !== null) {
    return fieldDifferences(recorded as Fields, given as Fields, at)
  }
  const key = /([^.[\]]+)[^.]*$/.exec(at)?.[1] ?? ''
  if (isIdentity(key) || notCompared.has(key)) return []
  const [a, b] = [recorded, given].map((value) => (typeof value === 'string' ? plain(value) : value))
  if (
    a === b ||
    a === '<redacted>' ||
    (key === 'message' && isLooseMessage(String(a)) && isLooseMessage(String(b)))
  )
    return []
  return [`${at}: ${short(b)} instead of ${short(a)}`]
}

function fieldDifferences(recorded: Fields, given: Fields, at: string): string[] {
  const missing = Object.keys(recorded).filter((key) => !(key in given))
  const extra = Object.keys(given).filter((key) => !(key in recorded))
  return [
    ...missing.map((key) => `${at}.${key} is missing`),
    ...extra.map((key) => `${at}.${key} is too much`),
    ...Object.keys(recorded)
      .filter((key) => key in given)
      .flatMap((key) => jsonDifferences(recorded[key], given[key], `${at}.${key}`)),
  ]
}

/** Words about malformed JSON and times differ from build to build. */
const isLooseMessage = (text: string): boolean => /^(\[\]: |parsing time )/.test(text)

const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 160) ?? 'undefined'

/** Recorded hashes and what stands in their places here. */
export function pairHashes(recorded: unknown, given: unknown, into: Map<string, string>): void {
  const isHash = (value: unknown): value is string =>
    typeof value === 'string' && /^[0-9a-f]{40}$/.test(value)
  if (isHash(recorded) && isHash(given)) into.set(recorded, given)
  else if (Array.isArray(recorded) && Array.isArray(given)) {
    for (const [index, item] of recorded.entries()) pairHashes(item, given[index], into)
  } else if (typeOf(recorded) === 'object' && typeOf(given) === 'object') {
    for (const [key, value] of Object.entries(recorded as Fields))
      pairHashes(value, (given as Fields)[key], into)
  }
}

export const parseBody = parse
