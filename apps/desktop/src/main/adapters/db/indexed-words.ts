import type { Database } from 'better-sqlite3'

/** More words than this are not worth a look at each. */
const mostWords = 200

/** Beginnings of these lengths have lists of their own in the index. */
const listedLengths: ReadonlySet<number> = new Set([2, 3])

/** Letters that the index keeps as they are, but for their case: of others it is not known here what becomes of them. */
const plain = /^[a-z0-9]+$/

/** Sorts behind a word and before every longer one that begins with it. */
const nextTo = (word: string): string => `${word}\u0001`

/**
 * Tells which words of `transcript_search` begin with some letters: those themselves, too. Null when that cannot be
 * told soon, or need not be told.
 *
 * The index answers a whole word hit by hit, and so stops early. For a beginning without a list it collects all hits
 * first, which takes long when the words are frequent.
 */
export function createIndexedWords(db: Database): (beginning: string) => readonly string[] | null {
  // a view of the index for this connection; nothing of it is stored
  db.exec(
    'CREATE VIRTUAL TABLE IF NOT EXISTS temp.transcript_words USING fts5vocab(main, transcript_search, instance)',
  )
  // a seek for each word: reading on from one would go through all its places
  const from = db
    .prepare<[string], string>('SELECT term FROM temp.transcript_words WHERE term >= ? LIMIT 1')
    .pluck()
  return (beginning) => {
    const lower = beginning.toLowerCase()
    if (listedLengths.has(lower.length) || !plain.test(lower)) return null
    const words: string[] = []
    for (let word = from.get(lower); word?.startsWith(lower); word = from.get(nextTo(word))) {
      if (words.length === mostWords) return null
      words.push(word)
    }
    return words
  }
}
