/** Where and when a time is read. Without locale and zone: those of the system. */
export interface TimeContext {
  /** Epoch milliseconds. */
  readonly now: number
  readonly locale?: string
  readonly timeZone?: string
}

const DAY_MS = 24 * 60 * 60 * 1_000

/** Making a formatter takes a hundred times as long as using it, and lists ask for the same few again and again. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const known = formatters.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, options)
  formatters.set(key, made)
  return made
}

/**
 * A moment as people read it: `14:02` today, `Mon 09:12` within six days, `12 Nov 09:12` this year, else with the
 * year. Clock and order are the locale's.
 */
export function formatTime(at: number, context: TimeContext): string {
  const part = (options: Intl.DateTimeFormatOptions): string =>
    formatter(context.locale, { ...options, timeZone: context.timeZone }).format(at)
  // clocks of twelve hours are written without a leading zero
  const clock = part({ hour: '2-digit', minute: '2-digit' }).replace(/^0(?=\d:\d\d\s?[AP]M$)/i, '')
  const days = calendarDay(context.now, context) - calendarDay(at, context)
  if (days === 0) return clock
  if (days > 0 && days <= 6) return `${part({ weekday: 'short' })} ${clock}`
  const isThisYear = fieldsOf(at, context).year === fieldsOf(context.now, context).year
  const date = part({ day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) })
  return `${date} ${clock}`
}

/** The day of the timeline's day marks: `Mon 24 Nov`, with the year when it is not this year. */
export function formatDay(at: number, context: TimeContext): string {
  const isThisYear = fieldsOf(at, context).year === fieldsOf(context.now, context).year
  return formatter(context.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone: context.timeZone,
  })
    .format(at)
    .replace(',', '')
}

/** Number of the calendar day in the zone: equal for two moments of one day, one apart for neighbours. */
export function calendarDay(at: number, context: Pick<TimeContext, 'timeZone'>): number {
  const { year, month, day } = fieldsOf(at, context)
  return Math.round(Date.UTC(year, month - 1, day) / DAY_MS)
}

/** ISO 8601 with the zone's offset, for tooltips: `2026-11-24T14:02:09+01:00`. */
export function isoWithOffset(at: number, timeZone?: string): string {
  const { year, month, day, hour, minute, second } = fieldsOf(at, { timeZone })
  const local = Date.UTC(year, month - 1, day, hour, minute, second)
  const offsetMinutes = Math.round((local - Math.floor(at / 1_000) * 1_000) / 60_000)
  const sign = offsetMinutes < 0 ? '-' : '+'
  const two = (n: number): string => String(Math.abs(n)).padStart(2, '0')
  const offset = `${sign}${two(Math.trunc(offsetMinutes / 60))}:${two(offsetMinutes % 60)}`
  return `${new Date(local).toISOString().slice(0, 19)}${offset}`
}

function fieldsOf(at: number, context: { readonly timeZone?: string | undefined }) {
  if (context.timeZone === undefined) return fieldsHere(at)
  const parts = formatter('en-US', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    timeZone: context.timeZone,
  }).formatToParts(at)
  const field = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0)
  return {
    year: field('year'),
    month: field('month'),
    day: field('day'),
    hour: field('hour'),
    minute: field('minute'),
    second: field('second'),
  }
}

function fieldsHere(at: number) {
  const date = new Date(at)
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
  }
}
