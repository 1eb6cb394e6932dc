import { neutraliseControls } from '../../core/stream/control-sequences'
import type { Redact } from '../../core/redact/redact'

/** A text that is longer is shown once it is whole. */
const mostCharacters = 50_000

/**
 * A text while it is written, piece by piece. A secret may come in two pieces, so that only whole words are shown, and
 * what was said so far is looked through as one.
 */
export interface PartialText {
  add(text: string): void
  /** All that was said, so nothing is being written. */
  clear(): void
  /** What can be shown, where that is more than last time; else null. */
  news(): string | null
}

export function createPartialText(redact: Redact): PartialText {
  let text = ''
  let shown = 0
  let isFull = false
  return {
    add(more) {
      // what comes behind a piece without room would stand in its place
      isFull ||= text.length + more.length > mostCharacters
      if (!isFull) text += more
    },
    clear() {
      text = ''
      shown = 0
      isFull = false
    },
    news() {
      const length = lengthBeforeKey(text.slice(0, lengthOfWords(text)))
      if (length <= shown) return null
      shown = length
      return neutraliseControls(redact(text.slice(0, length)))
    },
  }
}

/** Up to the end of the last whole word. */
const lengthOfWords = (text: string): number => /\s\S*$/.exec(text)?.index ?? 0

/** A private key is many words, and is known by its last one: until that has come, nothing of it is shown. */
function lengthBeforeKey(words: string): number {
  const begin = words.lastIndexOf('-----BEGIN')
  const isOpen = begin !== -1 && !/-----END [A-Z ]{0,40}-----/.test(words.slice(begin))
  return isOpen ? words.slice(0, begin).trimEnd().length : words.length
}
