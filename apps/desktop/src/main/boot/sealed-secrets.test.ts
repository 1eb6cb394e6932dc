import { describe, expect, it } from 'vitest'
import { parseSealed } from './sealed-secrets'

describe('the file of sealed secrets', () => {
  it('is read', () => {
    expect(parseSealed('{"version":1,"sealed":{"forge":"c2VhbGVk"}}')).toEqual({ forge: 'c2VhbGVk' })
  })

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['another version', '{"version":2,"sealed":{}}'],
    ['no secrets', '{"version":1}'],
    ['a list of secrets', '{"version":1,"sealed":["a"]}'],
    ['a secret that is no text', '{"version":1,"sealed":{"forge":7}}'],
  ])('is not taken when it is %s', (_, text) => {
    expect(parseSealed(text)).toBeNull()
  })

  it('throws what is no JSON at all', () => {
    expect(() => parseSealed('{')).toThrow(SyntaxError)
  })
})
