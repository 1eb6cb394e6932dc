import { formatTime } from '@shared/format/times'

export { formatTime, isoWithOffset } from '@shared/format/times'

const day = 86_400_000
const shortWeekday = new Intl.DateTimeFormat('en', { weekday: 'short' })
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })

/** Midnight of that day on this computer; cheap enough to be asked for every row. */
export const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/**
 * A time for narrow columns where a bare clock could be misread: `Today 14:02`, `Mon 09:12`, `12 Nov 09:12`. Clocks of
 * 12 hours need more room: `6:42 PM`, `Mon 9:12 AM`, and of older days the date alone.
 */
export function formatDayTime(at: number, now: number, locale?: string): string {
  const time = formatTime(at, { now, ...(locale !== undefined && { locale }) })
  const days = Math.round((startOfDay(now) - startOfDay(at)) / day)
  if (!/[AP]M$/i.test(time)) return days === 0 ? `Today ${time}` : time
  return days > 6 ? time.replace(/ \d+:.*$/, '') : time
}

/** The clock alone, where a mark above the row names the day. */
export const formatClock = (at: number): string => formatTime(at, { now: at })

/** `November 2026` */
export const formatMonth = (at: number): string => monthAndYear.format(at)

/** How long ago, in one unit, for lists: `now`, `4m`, `3h`, then the day. */
export function formatAgo(at: number, now: number): string {
  const ms = now - at
  if (ms < 60_000) return 'now'
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m`
  if (ms < day) return `${Math.floor(ms / 3_600_000)}h`
  const days = Math.round((startOfDay(now) - startOfDay(at)) / day)
  return days <= 6 ? shortWeekday.format(at) : dayAndMonth.format(at)
}
