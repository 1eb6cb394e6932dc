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
  return {
    add(more) {
      if (text.length + more.length <= mostCharacters) text += more
    },
    clear() {
      text = ''
      shown = 0
    },
    news() {
      const length = lengthOfWords(text)
      if (length <= shown) return null
      shown = length
      return neutraliseControls(redact(text.slice(0, length)))
    },
  }
}

/** Up to the end of the last whole word. */
const lengthOfWords = (text: string): number => /\s\S*$/.exec(text)?.index ?? 0
