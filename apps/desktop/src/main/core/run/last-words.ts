/*
 * What a program that failed said last, in one line that can be quoted.
 */

const longest = 500

/** A place in the program, and what runtimes print around it: it tells a reader nothing about what went wrong. */
const noWords = /^(?:at .|Node\.js v\d|[\^~|{}()[\],;\s]*$|\.{3}|node:internal)/

/** `error: x`, `Error: x`, `git: fatal: x`, `TypeError [CODE]: x`, `2026-01-01 ERROR x`. */
const errorWords =
  /^(?:\S+: )?\[?(?:uncaught |unhandled )?(?:[\w.]*(?:error|exception|panic)|fatal|failed|failure)\b/i
const loudWords = /\b(?:ERROR|FATAL|ERR!)/

/** The last line that says something. */
export const lastLine = (text: string): string | null => linesOf(text).at(-1) ?? null

/** The last line that looks like an error message, else the last one that says something. */
export function errorLine(text: string): string | null {
  const lines = linesOf(text)
  return lines.findLast((line) => errorWords.test(line) || loudWords.test(line)) ?? lines.at(-1) ?? null
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim().slice(0, longest))
    .filter((line) => !noWords.test(line))
