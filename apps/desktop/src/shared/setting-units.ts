import type { SettingKey } from './model/settings'

/*
 * Settings in the units that people write: what is printed reads back as the same value.
 */

/** Times and sizes have several units; the others count one thing. */
const units: Readonly<Partial<Record<SettingKey, string>>> = {
  RUN_TIMEOUT: 'duration',
  TERMINAL_LIMIT: 'duration',
  POLL_INTERVAL: 'duration',
  RUN_MEMORY: 'size',
  RUN_DISK: 'size',
  RUN_CPUS: 'CPUs',
  RUN_PIDS: 'processes',
  CLEANUP_AFTER_DAYS: 'days',
  MAX_RUNS: 'runs',
  MAX_LLM_RETRIES: 'repeats',
  RUN_BUDGET_USD: 'USD',
  DAY_BUDGET_USD: 'USD',
}

const durations = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const
const sizes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
}

/** How a value of this setting is written, for who wrote it differently; null where it has no units. */
export function unitHint(key: SettingKey): string | null {
  if (units[key] === 'duration') return 'a duration, as in 30m or 1h 30m'
  return units[key] === 'size' ? 'a size, as in 4 GB or 512 MB' : null
}

/** `45m`, `4 GB`, `14 days`; `-` for what is unset. */
export function formatSetting(key: SettingKey, value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'string') return value
  const unit = units[key]
  if (typeof value !== 'number' || unit === undefined) return JSON.stringify(value)
  if (unit === 'duration') return formatDuration(value)
  if (unit === 'size') return formatSize(value)
  return `${value} ${value === 1 ? unit.replace(/(?:(?<=ss)e)?s$/, '') : unit}`
}

/** The number that a text with units means; null when it has none, or not those of this setting. */
export function parseUnits(key: SettingKey, text: string): number | null {
  const unit = units[key]
  const plain = text.trim().toLowerCase()
  if (unit === undefined || plain === '') return null
  if (unit === 'duration') return parseDuration(plain)
  if (unit === 'size') return parseSize(plain)
  const [, figure, word = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(plain) ?? []
  if (figure === undefined) return null
  return formatSetting(key, 1).toLowerCase() === `1 ${word}` || unit.toLowerCase() === word
    ? Number(figure)
    : null
}

/** Exactly what is stored: `1h 30m`, never rounded. */
export function formatDuration(ms: number): string {
  let rest = ms
  const parts = Object.entries(durations).map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? `${count}${unit}` : ''
  })
  return parts.filter((part) => part !== '').join(' ') || '0s'
}

/** Milliseconds of `30m`, `1h 30m`, `90s`; null for anything else. */
export function parseDuration(text: string): number | null {
  const plain = text.trim().toLowerCase()
  if (plain === '') return null
  const parts = [...plain.matchAll(/(\d+(?:\.\d+)?)\s*(ms|d|h|m|s)(?![a-z])\s*/g)]
  if (parts.map(([part]) => part).join('') !== plain) return null
  return Math.round(
    parts.reduce(
      (sum, [, figure, unit]) => sum + Number(figure) * durations[unit as keyof typeof durations],
      0,
    ),
  )
}

/** In the largest unit that says it exactly; bytes where none does. */
export function formatSize(bytes: number): string {
  const unit = (['TB', 'GB', 'MB', 'kB'] as const).find(
    (name) =>
      bytes >= (sizes[name.toLowerCase()] ?? 1) && (bytes * 10) % (sizes[name.toLowerCase()] ?? 1) === 0,
  )
  return unit === undefined ? `${bytes} B` : `${bytes / (sizes[unit.toLowerCase()] ?? 1)} ${unit}`
}

/** Bytes of `4 GB`, `512MB`, `1.5 GiB`; null for anything else. */
export function parseSize(text: string): number | null {
  const [, figure, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(text.trim().toLowerCase()) ?? []
  const size = sizes[unit]
  return figure === undefined || size === undefined ? null : Math.round(Number(figure) * size)
}
