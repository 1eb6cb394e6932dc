import type { Redact } from './redact'

/*
 * Where a text can be cut without leaving half of a secret on either side: neither half looks like one any more.
 */

/** Characters (or bytes) on either side of a cut that a secret can reach over; longer than any that is known. */
export const secretReach = 32_000

/**
 * How many characters of `before` belong to what follows: the fewest found with which no secret is cut. Both sides
 * should reach `secretReach` far where there is that much.
 */
export function charactersOver(before: string, after: string, redact: Redact): number {
  const whole = redact(before + after)
  for (let over = 0; over < before.length; over = over === 0 ? 16 : over * 2) {
    const cut = before.length - over
    if (redact(before.slice(0, cut)) + redact(before.slice(cut) + after) === whole) return over
  }
  return before.length
}
