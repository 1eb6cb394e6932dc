import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFormSearch } from './form-search'

describe('a search for many forms', () => {
  it('finds none where there is none to look for', () => {
    expect(createFormSearch([])('what an agent prints')).toBe(false)
  })

  it('finds a form wherever it stands, whatever other forms there are', () => {
    const forms = [
      'glpat-0123456789abcdef',
      `a much longer form ${'with another end'.repeat(9)}`,
      'short',
      'é😀€'.repeat(6),
    ]
    const holds = createFormSearch(forms)
    for (const form of forms) {
      for (let before = 0; before < 200; before += 1) {
        expect(holds(`${'.'.repeat(before)}${form}`)).toBe(true)
        expect(holds(`${'.'.repeat(before)}${form.slice(0, -1)}`)).toBe(false)
      }
    }
  })

  it('says what a search for each of them says', () => {
    // of few characters, so that pieces of forms are met all the time
    const word = (least: number, most: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), minLength: least, maxLength: most })
    fc.assert(
      fc.property(
        fc.array(word(4, 24), { maxLength: 4 }),
        fc.array(word(0, 40), { maxLength: 3 }),
        (forms, words) => {
          const holds = createFormSearch(forms)
          for (const text of [words.join(''), words.join(forms[0] ?? '')])
            expect(holds(text)).toBe(forms.some((form) => text.includes(form)))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
