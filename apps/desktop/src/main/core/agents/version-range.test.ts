import { describe, expect, it } from 'vitest'
import { isInRanges, rangeWords } from './version-range'

const ranges = [
  { from: '1.0.0', to: '1.2.10' },
  { from: '2.1', to: '2.1' },
  { from: '3.0.0-beta.2', to: '3.1.0-rc.1' },
]

describe('a verified range', () => {
  it.each([
    ['1.0.0', true],
    ['1.2.9', true],
    ['1.2.10', true],
    ['1.2.11', false],
    ['0.9.99', false],
    ['1.10.0', false],
    ['v1.1', true],
    ['2.1', true],
    ['2.1.0', true],
    ['2.1.1', false],
    ['1.1.0-beta.2', false],
    ['1.2.10-0', false],
    ['3.0.0-beta.2', true],
    ['3.0.0-beta.3', false],
    ['3.1.0-rc.1', true],
    ['unknown', false],
    ['', false],
  ])('tells whether %s is inside: %s', (version, expected) => {
    expect(isInRanges(version, ranges)).toBe(expected)
  })

  it('is written for people', () => {
    expect(rangeWords(ranges)).toBe('1.0.0 to 1.2.10, 2.1, 3.0.0-beta.2 to 3.1.0-rc.1')
    expect(rangeWords([])).toBe('')
  })
})
