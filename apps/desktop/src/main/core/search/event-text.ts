/** Longer events are found by their beginning. */
const maxCharacters = 20_000

const fields = ['text', 'name', 'summary', 'input', 'output'] as const

/** The words of an event's payload that one may search for, each field on lines of its own. */
export function eventText(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null) return ''
  const known: Readonly<Record<string, unknown>> = { ...payload }
  return fields
    .map((field) => known[field])
    .filter((value) => typeof value === 'string' && value !== '')
    .join('\n')
    .slice(0, maxCharacters)
}

/** The words of what a person typed; marks between letters part them, as in the index. */
export const searchWords = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords)

const maxWords = 12

const before = 40
const after = 120

/** What stands around the first of the words, on one line. */
export function excerpt(text: string, words: readonly string[]): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const plain = fold(line)
  const places = words.map((word) => plain.indexOf(fold(word))).filter((place) => place >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const from = first <= before ? 0 : line.lastIndexOf(' ', first - before) + 1 || first - before
  const to = Math.min(line.length, first + after)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}

/** As the index folds: without case and marks; letter by letter, so that places stay the same. */
const fold = (text: string): string =>
  [...text]
    .map((letter) => {
      const folded = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      return folded.length === letter.length ? folded : letter
    })
    .join('')
