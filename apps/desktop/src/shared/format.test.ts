import { describe, expect, it } from 'vitest'
import { counted, formatAge, formatBytes, formatCost, formatDuration, formatTokens, shortId } from './format'

describe('figures', () => {
  it.each([
    [8_400, '8s'],
    [252_000, '4m 12s'],
    [3_840_000, '1h 04m'],
    [234_000_000, '2d 17h'],
    [-5, '0s'],
  ])('writes a duration of %d ms as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

  it('writes ages below an hour without seconds', () => expect(formatAge(58 * 60_000 + 9_000)).toBe('58m'))

  it.each([
    [null, 'unknown'],
    [0, '$0.00'],
    [0.004, '<$0.01'],
    [7.84, '$7.84'],
    [128.4, '$128'],
  ])('writes a cost of %s as %s', (usd, text) => expect(formatCost(usd)).toBe(text))

  it.each([
    [512, '512 B'],
    [188_000, '188 kB'],
    [1_230_000, '1.2 MB'],
    [4_000_000_000, '4.0 GB'],
    [999_999, '1.0 MB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  it.each([
    [812, '812'],
    [61_234, '61k'],
    [1_100_000, '1.1M'],
  ])('writes %d tokens as %s', (count, text) => expect(formatTokens(count)).toBe(text))

  it('shortens long ids and keeps their prefix', () => {
    expect(shortId('7c1e44d0-1111-4222-8333-444455556666')).toBe('7c1e44d0…6666')
    expect(shortId('ses_1234567890123')).toBe('ses_1234567890123')
    expect(shortId('ses_12345678901234567')).toBe('ses_12345678…4567')
  })

  it('counts in words', () =>
    expect([counted(1, 'commit'), counted(2, 'commit')]).toEqual(['1 commit', '2 commits']))
})
