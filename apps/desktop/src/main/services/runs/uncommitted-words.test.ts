import { expect, it } from 'vitest'
import { createRedact } from '../../core/redact/redact'
import { uncommittedWords } from './uncommitted-words'

const redact = createRedact(() => ['correct-horse-battery'])

it('names what is not committed, the first twenty of it', () => {
  expect(uncommittedWords([], redact)).toBeNull()
  expect(uncommittedWords(['a.txt', 'b b.txt'], redact)).toBe('Not committed: a.txt, b b.txt.')
  const many = Array.from({ length: 22 }, (_, index) => `${index}`)
  expect(uncommittedWords(many, redact)).toMatch(/ 18, 19 and 2 more\.$/)
})

it('holds no secret that an agent wrote into a name, also where an escape lay in it', () => {
  const token = `ghp_${'a1'.repeat(18)}`
  expect(
    uncommittedWords(
      ['correct-horse-battery.txt', `notes/${token}`, 'correct-\u001b[31mhorse-battery'],
      redact,
    ),
  ).toBe('Not committed: [redacted].txt, notes/[redacted], [redacted].')
})
