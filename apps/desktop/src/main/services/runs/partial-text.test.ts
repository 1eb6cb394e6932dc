import { describe, expect, it } from 'vitest'
import { createPartialText } from './partial-text'

const partial = () => createPartialText((text) => text.replaceAll('hunter2', '[redacted]'))

describe('a text that is being written', () => {
  it('is told in whole words from its beginning, and only where there is more of it', () => {
    const text = partial()
    expect(text.news()).toBeNull()
    text.add('The ha')
    expect(text.news()).toBe('The')
    expect(text.news()).toBeNull()
    text.add('rbour\nlights ')
    expect(text.news()).toBe('The harbour\nlights')
  })

  it('shows no secret that comes in pieces', () => {
    const text = partial()
    const told: (string | null)[] = []
    for (const piece of ['It is ', 'hun', 'ter', '2', ' and so on ']) {
      text.add(piece)
      told.push(text.news())
    }
    expect(told).toEqual(['It is', null, null, null, 'It is [redacted] and so on'])
  })

  it('begins anew once it has come as a whole', () => {
    const text = partial()
    text.add('one two ')
    text.clear()
    text.add('three four')
    expect(text.news()).toBe('three')
  })

  it('holds no control characters, and is told as a whole where it is very long', () => {
    const text = partial()
    text.add('a\u001B[31m b ')
    expect(text.news()).not.toContain('\u001B')
    text.add('x '.repeat(60_000))
    expect(text.news()).toBeNull()
  })
})
