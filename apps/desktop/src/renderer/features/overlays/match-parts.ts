const wordsOf = (query: string): readonly string[] => query.trim().toLowerCase().split(/\s+/).filter(Boolean)

/** Whether a text holds every word of a query, wherever they stand. */
export function matchesWords(text: string, query: string): boolean {
  const lower = text.toLowerCase()
  return wordsOf(query).every((word) => lower.includes(word))
}

export interface TextPart {
  readonly text: string
  readonly isMatch: boolean
}

/** A text cut where words of the query stand in it. */
export function matchParts(text: string, query: string): readonly TextPart[] {
  const words = wordsOf(query).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return [{ text, isMatch: false }]
  return text
    .split(new RegExp(`(${words.join('|')})`, 'gi'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

/** The run that a query names: `431`, `run 431`. */
export function runOfQuery(query: string): number | null {
  const digits = /^(?:run\s*)?([1-9]\d{0,14})$/i.exec(query.trim())?.[1]
  return digits === undefined ? null : Number(digits)
}
