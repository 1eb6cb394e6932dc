import { threadColor, type ThreadColor } from '@shared/timeline/memory-letters'

/** 0 for A, 25 for Z, 26 for A2: the reverse of `memoryLetter`. */
export function letterIndex(letter: string): number {
  const round = Number(letter.slice(1) || '1') - 1
  return letter.charCodeAt(0) - 65 + 26 * round
}

/** The stroke of a thread; null is a run without a session. */
export const threadStroke = (color: ThreadColor | null): string => `var(--thread-${color ?? 'none'})`

export const letterStroke = (letter: string | null): string =>
  threadStroke(letter === null ? null : threadColor(letterIndex(letter)))
