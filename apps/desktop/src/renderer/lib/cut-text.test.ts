import { describe, expect, it } from 'vitest'
import { wholeText } from './cut-text'

describe('wholeText', () => {
  it('is there for a text that has no room', () => {
    expect(wholeText({ scrollWidth: 300, clientWidth: 120, textContent: ' harbour/freight-api ' })).toBe(
      'harbour/freight-api',
    )
  })

  it('repeats nothing that is shown whole', () => {
    expect(wholeText({ scrollWidth: 120, clientWidth: 120, textContent: 'harbour' })).toBeNull()
  })
})
