import { describe, expect, it } from 'vitest'
import { quitTitle, stopAllTitle } from './strings'

describe('questions', () => {
  it('count in words up to nine', () => {
    expect([1, 2, 9, 12].map(quitTitle)).toEqual([
      'One run is still live',
      'Two runs are still live',
      'Nine runs are still live',
      '12 runs are still live',
    ])
    expect([1, 3].map(stopAllTitle)).toEqual(['Stop 1 run?', 'Stop 3 runs?'])
  })
})
