import type { SessionRowPatch } from './prove-resume'
import { isUsableSessionId } from './session-id'

/*
 * A terminal has no events: what grew in the state folder says which session it was in (design.md 5.11).
 */

/** Bytes of each session's own file, by its id. */
export type SessionSizes = Readonly<Record<string, number>>

export interface TerminalFacts {
  /** The id that was asked for; null: a fresh start. */
  readonly asked: string | null
  /** Of a fresh start, where the CLI takes an id that we choose. */
  readonly chosen: string | null
  readonly pattern: RegExp
  readonly before: SessionSizes
  readonly after: SessionSizes
}

export interface TerminalProof {
  readonly patch: SessionRowPatch
  /** Other sessions than the asked one that went on; usable ids only. */
  readonly others: readonly string[]
}

/** What the row says after a terminal. Nothing grew: nothing was asked, so nothing is proven. */
export function proveTerminal({ asked, chosen, pattern, before, after }: TerminalFacts): TerminalProof {
  const grown = Object.entries(after)
    .filter(([id, bytes]) => bytes > (before[id] ?? 0) && isUsableSessionId(id, pattern))
    .map(([id]) => id)
  const own = asked ?? chosen
  const ownGrew = own !== null && grown.includes(own)
  const others = grown.filter((id) => id !== own)
  const [other] = others
  // Exactly one other is where the person went on; of several nobody can say which.
  const nativeId = other !== undefined && others.length === 1 ? other : ownGrew ? own : null
  return {
    patch: {
      ...(nativeId === null ? {} : { nativeSessionId: nativeId }),
      ...(asked !== null && ownGrew ? { resumed: true } : {}),
    },
    others,
  }
}
