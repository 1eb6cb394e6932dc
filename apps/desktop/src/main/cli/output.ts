/*
 * What a command prints, and where: results to standard output, progress and errors to standard error.
 */

export interface Output {
  /** A line for people or programs on standard output. */
  line(text: string): void
  /** A value for programs on standard output, see `toProgramValue`. */
  json(value: unknown): void
  /** The same on one line, for what comes one after the other. */
  jsonLine(value: unknown): void
  /** A line of progress on standard error. */
  progress(text: string): void
  error(text: string): void
}

export function createOutput(stdout: (text: string) => void, stderr: (text: string) => void): Output {
  return {
    line: (text) => stdout(`${forTerminal(text)}\n`),
    json: (value) => stdout(`${JSON.stringify(toProgramValue(value), null, 2)}\n`),
    jsonLine: (value) => stdout(`${JSON.stringify(toProgramValue(value))}\n`),
    progress: (text) => stderr(`${forTerminal(text)}\n`),
    error: (text) => stderr(`alfred: ${forTerminal(text)}\n`),
  }
}

/** Texts of issues and agents may carry control sequences: a terminal must not act on them. */
export const forTerminal = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')

/** Columns as wide as their widest cell; the last one is not padded. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows].map((row) => row.map((cell) => forTerminal(cell).replaceAll('\n', ' ')))
  const widths = header.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)))
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - [...cell].length),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `nativeSessionId` -> `native_session_id`, times as ISO texts, down to the innermost value. */
export function toProgramRow(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isTime(key, value) ? new Date(value).toISOString() : toProgramValue(value),
    ]),
  )
}

/** Rows, lists of rows and what is in them, for programs. */
function toProgramValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toProgramValue)
  return typeof value === 'object' && value !== null
    ? toProgramRow(value as Readonly<Record<string, unknown>>)
    : value
}

/** Times of the contract are called `at` or `somethingAt`, and count milliseconds. */
const isTime = (key: string, value: unknown): value is number =>
  typeof value === 'number' && /(?:^a|A)t$/.test(key)
