import { formatBytes } from '@shared/format'

/*
 * Values of settings as people write them. What is read back gives the same value; what cannot be read says how to
 * write it.
 */

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

const read = <T>(value: T): Parsed<T> => ({ ok: true, value })
const refuse = (message: string): { readonly ok: false; readonly message: string } => ({ ok: false, message })

const durationUnits: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
}

/** `45m`, `1h 30m`, `30s`, `1h`: exactly what is stored, in its units. */
export function formatDurationValue(ms: number): string {
  const parts: string[] = []
  let rest = ms
  for (const unit of ['d', 'h', 'm', 's', 'ms'] as const) {
    const size = durationUnits[unit] ?? 1
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count}${unit}`)
    rest -= count * size
  }
  return parts.join(' ') || '0s'
}

/** Milliseconds of `30m`, `1h 30m`, `90s`. */
export function parseDurationValue(text: string): Parsed<number> {
  const plain = text.trim().toLowerCase()
  const parts = [...plain.matchAll(/(\d+(?:\.\d+)?)\s*(ms|d|h|m|s)(?![a-z])\s*/g)]
  if (plain === '' || parts.map((part) => part[0]).join('') !== plain)
    return refuse('Not a duration. Write 30m or 1h 30m.')
  return read(
    Math.round(parts.reduce((sum, part) => sum + Number(part[1]) * (durationUnits[part[2] ?? ''] ?? 0), 0)),
  )
}

const sizeUnits: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
}

export const formatSizeValue = (bytes: number): string => {
  for (const unit of ['TB', 'GB', 'MB', 'kB'] as const) {
    const size = sizeUnits[unit.toLowerCase()] ?? 1
    if (bytes >= size && Number.isInteger((bytes / size) * 10)) return `${bytes / size} ${unit}`
  }
  return formatBytes(bytes)
}

/** Bytes of `4 GB`, `512MB`, `1.5 GiB`. */
export function parseSizeValue(text: string): Parsed<number> {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?i?b)$/i.exec(text.trim())
  const unit = sizeUnits[match?.[2]?.toLowerCase() ?? '']
  if (!match || unit === undefined) return refuse('Not a size. Write 4 GB or 512 MB.')
  return read(Math.round(Number(match[1]) * unit))
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
