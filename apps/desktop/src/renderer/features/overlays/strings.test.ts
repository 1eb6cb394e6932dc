import { describe, expect, it } from 'vitest'
import { quitTitle, startFreshText, stopAllTitle } from './strings'

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

  it('before a memory is left say what reading again costs, where that is known', () => {
    expect(startFreshText(0.55)).toBe(
      'It is kept and can be continued later. Reading again costs about $0.55.',
    )
    for (const unknown of [null, 0])
      expect(startFreshText(unknown)).toBe(
        'It is kept and can be continued later. Reading everything again costs time and tokens.',
      )
  })
})
