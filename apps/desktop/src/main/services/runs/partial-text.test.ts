import { describe, expect, it } from 'vitest'
import { redact } from '../../core/redact/redact'
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

  it('has no hole where a piece found no room', () => {
    const text = partial()
    text.add('one two ')
    text.add('x '.repeat(30_000))
    text.add('three ')
    expect(text.news()).toBe('one two')
    text.clear()
    text.add('four ')
    expect(text.news()).toBe('four')
  })

  it('shows nothing of a private key that is not whole', () => {
    const text = createPartialText((words) => redact(words, []))
    const told: (string | null)[] = []
    const pieces = ['A key:\n', '-----BEGIN RSA ', 'PRIVATE KEY-----\n', 'MIIEpAIB\n', '-----END RSA ']
    for (const piece of [...pieces, 'PRIVATE KEY-----', '\nand on ']) {
      text.add(piece)
      told.push(text.news())
    }
    expect(told).toEqual(['A key:', null, null, null, null, null, 'A key:\n[redacted]\nand on'])
  })
})
