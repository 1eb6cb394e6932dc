import { describe, expect, it } from 'vitest'
import { eventText, excerpt, searchWords } from './event-text'

describe('the words of an event', () => {
  it('are those of its texts, and no figures, ids or flags', () => {
    expect(
      eventText({ name: 'Bash', summary: 'npm test', input: '{"c":1}', callId: 'x', failed: true, turns: 3 }),
    ).toBe('Bash\nnpm test\n{"c":1}')
    expect(eventText({ text: '' })).toBe('')
    expect(eventText(null)).toBe('')
    expect(eventText('text')).toBe('')
  })

  it('are its first ones where it is very long', () => {
    expect(eventText({ text: 'ab '.repeat(50_000) })).toHaveLength(20_000)
  })
})

describe('what a person typed', () => {
  it('is words; marks between letters part them, operators are none', () => {
    expect(searchWords('  Retry-After: "429" OR* ')).toEqual(['Retry', 'After', '429', 'OR'])
    expect(searchWords('größe 日本')).toEqual(['größe', '日本'])
    expect(searchWords(' *"() ')).toEqual([])
    expect(searchWords('a '.repeat(50))).toHaveLength(12)
  })
})

describe('an excerpt', () => {
  it('stands around the first word that is there, on one line', () => {
    const text = `${'before '.repeat(30)}the Retry-After\n  header ${'after '.repeat(60)}`
    const found = excerpt(text, ['after', 'retry'])
    expect(found).toMatch(/^…(before )+the Retry-After header (after )*\S*…$/)
    expect(found.length).toBeLessThan(180)
  })

  it('finds words without their case and marks, and says all where it is short', () => {
    expect(excerpt('Die Größe', ['GROSSE'])).toBe('Die Größe')
    expect(excerpt(`${'x '.repeat(200)}Café`, ['cafe'])).toMatch(/Café$/)
    expect(excerpt('', ['x'])).toBe('')
  })
})
