import { describe, expect, it } from 'vitest'
import { matchesWords, matchParts, runOfQuery } from './match-parts'

describe('searching the palette', () => {
  it('finds every word, in any order', () => {
    expect(matchesWords('Retry run 427 with fresh memory', 'fresh retry')).toBe(true)
    expect(matchesWords('Retry run 427', 'retry chat')).toBe(false)
    expect(matchesWords('anything', '  ')).toBe(true)
  })

  it('marks what was found, and takes signs as signs', () => {
    expect(matchParts('Retry the retry', 'retry')).toEqual([
      { text: 'Retry', isMatch: true },
      { text: ' the ', isMatch: false },
      { text: 'retry', isMatch: true },
    ])
    expect(matchParts('fold() is off', 'fold()')[0]).toEqual({ text: 'fold()', isMatch: true })
    expect(matchParts('plain', '')).toEqual([{ text: 'plain', isMatch: false }])
  })

  it('reads a run from its number', () => {
    expect(['431', 'run 431', 'Run431', '#431', '0', 'run'].map(runOfQuery)).toEqual([
      431,
      431,
      431,
      null,
      null,
      null,
    ])
  })
})
