import { counted } from '../format'

/*
 * Figures as a screen reader should say them: words instead of units.
 */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `14 minutes 2 seconds`, `1 hour`, `2 days 17 hours`: two units at most, the second only if it is not zero. */
export function spokenDuration(ms: number): string {
  const t = Math.max(0, ms)
  const [large, largeName, small, smallName] =
    t < MINUTE
      ? [0, '', SECOND, 'second']
      : t < HOUR
        ? [MINUTE, 'minute', SECOND, 'second']
        : t < DAY
          ? [HOUR, 'hour', MINUTE, 'minute']
          : [DAY, 'day', HOUR, 'hour']
  const first = large === 0 ? 0 : Math.floor(t / large)
  const second = Math.floor((large === 0 ? t : t % large) / small)
  const words = [
    first > 0 ? counted(first, largeName) : '',
    second > 0 || first === 0 ? counted(second, smallName) : '',
  ]
  return words.filter((word) => word !== '').join(' ')
}

/** `1 dollar 71`, `6 cents`, `128 dollars`, `less than 1 cent`, `cost unknown`. */
export function spokenCost(usd: number | null): string {
  if (usd === null) return 'cost unknown'
  if (usd > 0 && usd < 0.01) return 'less than 1 cent'
  const cents = Math.round(usd * 100)
  const dollars = usd >= 100 ? Math.round(usd) : Math.floor(cents / 100)
  const rest = usd >= 100 ? 0 : cents % 100
  if (dollars === 0) return cents === 0 ? '0 dollars' : counted(rest, 'cent')
  return rest === 0
    ? counted(dollars, 'dollar')
    : `${counted(dollars, 'dollar')} ${String(rest).padStart(2, '0')}`
}

/** `604 thousand tokens`, `1.1 million tokens`, `tokens unknown`. */
export function spokenTokens(count: number | null): string {
  if (count === null) return 'tokens unknown'
  if (count < 1_000) return counted(count, 'token')
  if (count < 999_500) return `${Math.round(count / 1_000)} thousand tokens`
  return `${(count / 1_000_000).toFixed(1)} million tokens`
}

/** `1.2 megabytes`, `188 kilobytes`. */
export function spokenBytes(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte')
  const units = ['kilobytes', 'megabytes', 'gigabytes', 'terabytes']
  let value = bytes / 1_000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000
    unit += 1
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** The beginning of an id, enough to tell it from others: `7c1e44d0`. A `word_` in front stays. */
export function spokenId(id: string): string {
  const prefix = /^[a-z]{2,5}_/.exec(id)?.[0] ?? ''
  const rest = id.slice(prefix.length)
  return rest.length <= 13 ? id : `${prefix}${rest.slice(0, 8)}`
}
