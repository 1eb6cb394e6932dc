/*
 * Ctrl+\ lets go of the terminal. It comes as one byte, or, where the agent asked for another keyboard, as a sequence.
 */

const key = 0x1c
const interrupt = 0x03
const sequences = ['\u001b[92;5u', '\u001b[27;5;92~'].map((text) => Buffer.from(text, 'latin1'))
/** A text that is pasted may hold anything. */
const pasteBegins = Buffer.from('\u001b[200~', 'latin1')

/** What was typed before the key; null: it is not in there. */
export function beforeDetachKey(typed: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(typed)
  if (bytes.includes(pasteBegins)) return null
  const places = [bytes.indexOf(key), ...sequences.map((sequence) => bytes.indexOf(sequence))]
  const found = places.filter((place) => place !== -1)
  return found.length === 0 ? null : bytes.subarray(0, Math.min(...found))
}

/** Who only watches types nothing else: Ctrl+C leaves as well. */
export const leavesWatching = (typed: Uint8Array): boolean =>
  typed.includes(interrupt) || beforeDetachKey(typed) !== null

export const detachKeyWords = 'Ctrl+\\'
