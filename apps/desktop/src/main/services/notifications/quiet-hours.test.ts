import { describe, expect, it } from 'vitest'
import { quietHoursAt } from './quiet-hours'

const at = (text: string): number => new Date(`2026-03-10T${text}`).getTime()
const on = (text: string): number => new Date(text).getTime()

describe('quiet hours', () => {
  it('are none where none are set', () => {
    expect(quietHoursAt(null, at('23:00'))).toBeNull()
  })

  it('lie within one day', () => {
    const hours = { from: at('12:00'), until: at('13:30') }
    expect(quietHoursAt('12:00-13:30', at('11:59'))).toBeNull()
    expect(quietHoursAt('12:00-13:30', at('12:00'))).toEqual(hours)
    expect(quietHoursAt('12:00-13:30', at('13:29'))).toEqual(hours)
    expect(quietHoursAt('12:00-13:30', at('13:30'))).toBeNull()
  })

  it('go over midnight', () => {
    const tonight = { from: at('22:00'), until: on('2026-03-11T07:00') }
    const lastNight = { from: on('2026-03-09T22:00'), until: at('07:00') }
    expect(quietHoursAt('22:00-07:00', at('23:10'))).toEqual(tonight)
    expect(quietHoursAt('22:00-07:00', at('06:59'))).toEqual(lastNight)
    expect(quietHoursAt('22:00-07:00', at('12:00'))).toBeNull()
  })

  it('are the whole day where they end when they begin', () => {
    expect(quietHoursAt('08:00-08:00', at('07:00'))).toEqual({
      from: on('2026-03-09T08:00'),
      until: at('08:00'),
    })
    expect(quietHoursAt('08:00-08:00', at('08:00'))).toEqual({
      from: at('08:00'),
      until: on('2026-03-11T08:00'),
    })
  })
})
