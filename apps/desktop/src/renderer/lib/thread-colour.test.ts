import { memoryLetter } from '@shared/timeline/memory-letters'
import { describe, expect, it } from 'vitest'
import { letterIndex, letterStroke } from './thread-colour'

describe('thread colours', () => {
  it('read the place of a memory back from its letter', () => {
    for (const index of [0, 4, 25, 26, 77]) expect(letterIndex(memoryLetter(index))).toBe(index)
  })

  it('go through five colours and begin again', () => {
    expect(['A', 'E', 'F', 'A2'].map(letterStroke)).toEqual([
      'var(--thread-a)',
      'var(--thread-e)',
      'var(--thread-a)',
      'var(--thread-b)',
    ])
    expect(letterStroke(null)).toBe('var(--thread-none)')
  })
})
