import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { formatDuration, formatSize } from '@shared/setting-units'
import { parseDurationValue, parseListValue, parseNumberValue, parseSizeValue } from './value-formats'

describe('values as people write them', () => {
  it.each([
    ['30m', 1_800_000],
    ['1h 30m', 5_400_000],
    ['1h30m', 5_400_000],
    [' 90s ', 90_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
  ])('read the duration %j', (text, ms) => {
    expect(parseDurationValue(text)).toEqual({ ok: true, value: ms })
  })

  it.each(['30 mins', '30', '', 'soon', '1h 30', 'm30', '-5m'])(
    'refuse the duration %j and say how to write one',
    (text) => {
      expect(parseDurationValue(text)).toEqual({
        ok: false,
        message: 'Not a duration. Write 30m or 1h 30m.',
      })
    },
  )

  it('write any duration so that it reads back the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e10 }), (ms) => {
        expect(parseDurationValue(formatDuration(ms))).toEqual({ ok: true, value: ms })
      }),
    )
  })

  it.each([
    ['4 GB', 4e9],
    ['512MB', 512e6],
    ['1.5 GiB', 1_610_612_736],
    ['100 kb', 100_000],
  ])('read the size %j', (text, bytes) => {
    expect(parseSizeValue(text)).toEqual({ ok: true, value: bytes })
  })

  it.each(['4', 'GB', 'four GB', '4 XB', ''])('refuse the size %j', (text) => {
    expect(parseSizeValue(text).ok).toBe(false)
  })

  it('write sizes in the unit in which they are round', () => {
    expect([4e9, 64e6, 1_500_000_000, 20e9].map(formatSize)).toEqual(['4 GB', '64 MB', '1.5 GB', '20 GB'])
  })

  it('read numbers with either decimal sign', () => {
    expect(parseNumberValue('0,5')).toEqual({ ok: true, value: 0.5 })
    expect(parseNumberValue('two').ok).toBe(false)
  })

  it('read lists a line at a time', () => {
    expect(parseListValue(' a \n\n b\n')).toEqual({ ok: true, value: ['a', 'b'] })
  })
})
