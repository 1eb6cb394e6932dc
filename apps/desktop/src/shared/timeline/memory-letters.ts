import type { AdapterId } from '../model/words'

/*
 * A memory is the sessions of one mailbox that share adapter and native id. Its letter is for people only:
 * computed from rows, never stored or sent.
 */

/** `adapter:nativeId`, the key of memories in `RailEdge`. */
export const memoryKey = (adapter: AdapterId, nativeId: string): string => `${adapter}:${nativeId}`

/** A, B, ... Z, A2, B2, ...: the letter of the memory that appeared as number `index` (from 0). */
export function memoryLetter(index: number): string {
  const round = Math.floor(index / 26) + 1
  return String.fromCharCode(65 + (index % 26)) + (round === 1 ? '' : String(round))
}

/** A memory that a run did not take up: it was kept, and is unless it was removed at cleanup since. */
export interface KeptMemory {
  readonly letter: string
  readonly adapter: string
  readonly isRemoved: boolean
}

export type ThreadColor = 'a' | 'b' | 'c' | 'd' | 'e'
const COLORS: readonly ThreadColor[] = ['a', 'b', 'c', 'd', 'e']

/** The thread colours cycle by letter. */
export const threadColor = (index: number): ThreadColor => COLORS[index % COLORS.length] ?? 'a'
