import { startOfDay } from '../start-of-day'

/*
 * Hours in which the desktop tells nothing, by the clock on the wall: `22:00-07:00` goes over midnight.
 */

export interface QuietHours {
  readonly from: number
  readonly until: number
}

/** The quiet hours that `now` lies in; null: none do. Both ends equal are the whole day. */
export function quietHoursAt(setting: string | null, now: number): QuietHours | null {
  const [from, until] = (setting ?? '').split('-')
  if (from === undefined || until === undefined) return null
  for (const day of [-1, 0]) {
    const begins = timeOn(now, day, from)
    const ends = timeOn(now, until > from ? day : day + 1, until)
    if (begins <= now && now < ends) return { from: begins, until: ends }
  }
  return null
}

/** A time of a day near `now`, where the day that a clock is changed has its own length. */
function timeOn(now: number, day: number, time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const date = new Date(startOfDay(now))
  date.setDate(date.getDate() + day)
  date.setHours(hours, minutes, 0, 0)
  return date.getTime()
}
