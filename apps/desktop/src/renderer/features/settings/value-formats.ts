import { parseDuration, parseSize } from '@shared/setting-units'

/*
 * Values of settings as people write them. What is read back gives the same value; what cannot be read says how to
 * write it.
 */

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

const read = <T>(value: T): Parsed<T> => ({ ok: true, value })
const refuse = (message: string): { readonly ok: false; readonly message: string } => ({
  ok: false,
  message,
})

/** Milliseconds of `30m`, `1h 30m`, `90s`. */
export function parseDurationValue(text: string): Parsed<number> {
  const ms = parseDuration(text)
  return ms === null ? refuse('Not a duration. Write 30m or 1h 30m.') : read(ms)
}

/** Bytes of `4 GB`, `512MB`, `1.5 GiB`. */
export function parseSizeValue(text: string): Parsed<number> {
  const bytes = parseSize(text)
  return bytes === null ? refuse('Not a size. Write 4 GB or 512 MB.') : read(bytes)
}

export function parseNumberValue(text: string): Parsed<number> {
  const plain = text.trim().replace(',', '.')
  return /^-?\d+(\.\d+)?$/.test(plain) ? read(Number(plain)) : refuse('Not a number.')
}

/** One entry per line; empty lines count for nothing. */
export const parseListValue = (text: string): Parsed<readonly string[]> =>
  read(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
