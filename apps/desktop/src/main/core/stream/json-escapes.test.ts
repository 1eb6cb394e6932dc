import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdsRareEscapes } from './json-escapes'

it('finds every escape that may stand for another character, however deep it lies', () => {
  for (const line of [
    String.raw`"\u0063"`,
    String.raw`"\/"`,
    String.raw`"\\\u0063"`,
    String.raw`"\r"`,
    '"a\\',
  ])
    expect(holdsRareEscapes(line)).toBe(true)
  expect(holdsRareEscapes(String.raw`{"text":"one\ntwo\t\"three\" \\n"}`)).toBe(false)
  expect(holdsRareEscapes('plain')).toBe(false)
})

it('misses none of them in any text', () => {
  const pieces = fc.constantFrom('\\', '\\\\', '\\n', '\\"', '\\u0041', '\\/', '\\b', 'u', 'n', '"', 'x')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (all) => {
      const line = all.join('')
      if (/\\[u/bfr]/.test(line)) expect(holdsRareEscapes(line)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
