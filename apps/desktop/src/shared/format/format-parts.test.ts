import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCostSum, formatEstimate, formatExactCost } from './costs'
import { formatToolDuration } from './durations'
import { changeReference, mailboxReference, runReference } from './references'
import { spokenBytes, spokenCost, spokenDuration, spokenId, spokenTokens } from './spoken'
import { calendarDay, formatDay, formatTime, isoWithOffset } from './times'
import { formatContext, formatTokenSplit, formatTokenTotal, totalTokens } from './tokens'

describe('costs', () => {
  test.each([
    [0.0042, '$0.0042'],
    [0.06, '$0.06'],
    [128.4, '$128'],
    [null, 'unknown'],
    [0, '$0.00'],
  ])('shows %s as %s among facts', (usd, text) => {
    expect(formatExactCost(usd)).toBe(text)
  })

  test.each([
    [7.84, 2, '$7.84 + 2 unknown'],
    [7.84, 0, '$7.84'],
    [null, 3, 'unknown'],
    [null, 0, '$0.00'],
  ])('sums %s and %s unknown parts as %s', (usd, unknown, text) => {
    expect(formatCostSum(usd, unknown)).toBe(text)
  })

  test('marks estimates', () => {
    expect(formatEstimate(0.55)).toBe('≈$0.55')
    expect(formatEstimate(null)).toBe('unknown')
  })
})

describe('tool durations', () => {
  test.each([
    [300, '0.3s'],
    [9_949, '9.9s'],
    [9_960, '10s'],
    [72_000, '1m 12s'],
    [-5, '0.0s'],
  ])('shows %s ms as %s', (ms, text) => {
    expect(formatToolDuration(ms)).toBe(text)
  })
})

describe('tokens', () => {
  const split = { inputTokens: 41_000, cachedTokens: 520_000, outputTokens: null }
  test('shows a total with its unit, a split in three parts and the context as a share', () => {
    expect(totalTokens(split)).toBe(561_000)
    expect(totalTokens({ inputTokens: null, cachedTokens: null, outputTokens: null })).toBeNull()
    expect(formatTokenTotal(812)).toBe('812 tok')
    expect(formatTokenTotal(null)).toBe('unknown')
    expect(formatTokenSplit(split)).toBe('41k new · 520k cached · unknown out')
    expect(formatContext(122_000, 200_000)).toBe('122k of 200k · 61 %')
    expect(formatContext(null, 200_000)).toBe('unknown')
    expect(formatContext(5, 0)).toBe('unknown')
  })
})

describe('references', () => {
  test('names runs, issues and changes as people and their forge do', () => {
    expect(runReference(431)).toBe('run 431')
    expect(mailboxReference('issue', 128, 'github')).toBe('#128')
    expect(mailboxReference('merge_request', 342, 'gitlab')).toBe('!342')
    expect(mailboxReference('merge_request', 342, 'github')).toBe('PR 342')
    expect(changeReference(7, 'local')).toBe('!7')
  })
})

describe('times', () => {
  const zone = { locale: 'en-GB', timeZone: 'Europe/Berlin' }
  const now = Date.UTC(2026, 10, 24, 13, 30)
  test.each([
    [Date.UTC(2026, 10, 24, 13, 2), '14:02'],
    [Date.UTC(2026, 10, 23, 8, 12), 'Mon 09:12'],
    [Date.UTC(2026, 10, 18, 8, 12), 'Wed 09:12'],
    [Date.UTC(2026, 10, 17, 8, 12), '17 Nov 09:12'],
    [Date.UTC(2025, 10, 12, 8, 12), '12 Nov 2025 09:12'],
    [Date.UTC(2026, 10, 26, 8, 12), '26 Nov 09:12'],
  ])('shows %s as %s', (at, text) => {
    expect(formatTime(at, { now, ...zone })).toBe(text)
  })

  test('uses the clock of the locale', () => {
    expect(formatTime(now, { now, locale: 'en-US', timeZone: 'UTC' })).toMatch(/^1:30\sPM$/)
  })

  test('counts days by the calendar of the zone, also over a change of clocks', () => {
    const berlin = { timeZone: 'Europe/Berlin' }
    expect(
      calendarDay(Date.UTC(2026, 2, 29, 22, 30), berlin) - calendarDay(Date.UTC(2026, 2, 28, 12), berlin),
    ).toBe(2)
    expect(formatDay(now, { now, ...zone })).toBe('Tue 24 Nov')
    expect(formatDay(Date.UTC(2025, 10, 24, 12), { now, ...zone })).toBe('Mon 24 Nov 2025')
  })

  test('gives ISO times with the offset of the zone', () => {
    expect(isoWithOffset(now, 'Europe/Berlin')).toBe('2026-11-24T14:30:00+01:00')
    expect(isoWithOffset(now, 'America/St_Johns')).toBe('2026-11-24T10:00:00-03:30')
    expect(isoWithOffset(now, 'UTC')).toBe('2026-11-24T13:30:00+00:00')
  })

  test('gives an ISO time that reads back as the same second, in every zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000_000 }),
        fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/Los_Angeles', 'Pacific/Apia'),
        (at, timeZone) => {
          expect(Date.parse(isoWithOffset(at, timeZone))).toBe(Math.floor(at / 1_000) * 1_000)
        },
      ),
    )
  })
})

describe('spoken figures', () => {
  test.each([
    [0, '0 seconds'],
    [8_000, '8 seconds'],
    [60_000, '1 minute'],
    [842_000, '14 minutes 2 seconds'],
    [3_840_000, '1 hour 4 minutes'],
    [234_000_000, '2 days 17 hours'],
  ])('says %s ms as "%s"', (ms, words) => {
    expect(spokenDuration(ms)).toBe(words)
  })

  test.each([
    [1.71, '1 dollar 71'],
    [2.05, '2 dollars 05'],
    [0.06, '6 cents'],
    [0.004, 'less than 1 cent'],
    [3, '3 dollars'],
    [128.4, '128 dollars'],
    [0, '0 dollars'],
    [null, 'cost unknown'],
  ])('says %s dollars as "%s"', (usd, words) => {
    expect(spokenCost(usd)).toBe(words)
  })

  test('says tokens, sizes and ids in words', () => {
    expect(spokenTokens(604_000)).toBe('604 thousand tokens')
    expect(spokenTokens(1_100_000)).toBe('1.1 million tokens')
    expect(spokenTokens(1)).toBe('1 token')
    expect(spokenTokens(null)).toBe('tokens unknown')
    expect(spokenBytes(1_200_000)).toBe('1.2 megabytes')
    expect(spokenBytes(188_000)).toBe('188 kilobytes')
    expect(spokenBytes(1)).toBe('1 byte')
    expect(spokenId('7c1e44d0-9f1a-4b2c-8d3e-aaaaaaaaaaaa')).toBe('7c1e44d0')
    expect(spokenId('ses_4f2a91c07be8d15a')).toBe('ses_4f2a91c0')
    expect(spokenId('short')).toBe('short')
  })
})
