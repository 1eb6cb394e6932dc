/*
 * Figures as people read them, the same in the window, in notifications and in `alfred`.
 * Unknown is a word, never 0 and never blank.
 */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const padded = (n: number): string => String(n).padStart(2, '0')

/** Two units, the second one padded: `8s`, `4m 12s`, `1h 04m`, `2d 17h`. Negative times read as `0s`. */
export function formatDuration(ms: number): string {
  const t = Math.max(0, ms)
  if (t < minute) return `${Math.floor(t / second)}s`
  if (t < hour) return `${Math.floor(t / minute)}m ${padded(Math.floor((t % minute) / second))}s`
  if (t < day) return `${Math.floor(t / hour)}h ${padded(Math.floor((t % hour) / minute))}m`
  return `${Math.floor(t / day)}d ${padded(Math.floor((t % day) / hour))}h`
}

/** Ages: minutes alone below an hour, else as durations: `58m`, `3h 35m`. */
export function formatAge(ms: number): string {
  const t = Math.max(0, ms)
  return t >= minute && t < hour ? `${Math.floor(t / minute)}m` : formatDuration(t)
}

/** US dollars for rows: `$7.84`, `$128`, `<$0.01`, `unknown`. */
export function formatCost(usd: number | null): string {
  if (usd === null) return 'unknown'
  if (usd > 0 && usd < 0.01) return '<$0.01'
  return usd >= 100 ? `$${Math.round(usd)}` : `$${usd.toFixed(2)}`
}

/** Decimal sizes with two digits: `188 kB`, `1.2 MB`, `4.0 GB`. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return 'unknown'
  if (bytes < 1_000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1_000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000
    unit += 1
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** `812`, `61k`, `1.1M`, `unknown`. */
export function formatTokens(count: number | null): string {
  if (count === null) return 'unknown'
  if (count < 1_000) return String(count)
  if (count < 999_500) return `${Math.round(count / 1_000)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** Ids of at most 13 characters as they are; longer ones as first 8 + `…` + last 4; a `word_` in front stays. */
export function shortId(id: string): string {
  const prefix = /^[a-z]{2,5}_/.exec(id)?.[0] ?? ''
  const rest = id.slice(prefix.length)
  return rest.length <= 13 ? id : `${prefix}${rest.slice(0, 8)}…${rest.slice(-4)}`
}

/** `1 commit`, `2 commits`; an own plural where adding s is wrong. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`
