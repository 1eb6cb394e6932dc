import { describe, expect, it } from 'vitest'
import { meterLevel } from './meter-level'

describe('meterLevel', () => {
  it('is fine below 80 %, high from there and full from 95 %', () => {
    expect([79, 80, 94, 95, 120].map((used) => meterLevel(used, 100))).toEqual([
      'fine',
      'high',
      'high',
      'full',
      'full',
    ])
  })

  it('is unknown without both figures, not empty', () => {
    expect(meterLevel(null, 100)).toBe('unknown')
    expect(meterLevel(5, null)).toBe('unknown')
    expect(meterLevel(5, 0)).toBe('unknown')
  })
})
