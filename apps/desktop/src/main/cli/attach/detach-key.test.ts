import { describe, expect, it } from 'vitest'
import { beforeDetachKey, leavesWatching } from './detach-key'

const before = (text: string): string | null => {
  const found = beforeDetachKey(Buffer.from(text, 'latin1'))
  return found === null ? null : Buffer.from(found).toString('latin1')
}

describe('the key that lets go of a terminal', () => {
  it.each([
    ['alone', '\u001c', ''],
    ['behind what was typed fast', 'yes\u001cno', 'yes'],
    ['of the Kitty keyboard', '\u001b[92;5u', ''],
    ['of the xterm keyboard', 'a\u001b[27;5;92~', 'a'],
  ])('is found %s', (_, typed, rest) => {
    expect(before(typed)).toBe(rest)
  })

  it.each([
    ['Ctrl+C', '\u0003'],
    ['an arrow', '\u001b[A'],
    ['a backslash', '\\'],
    ['a pasted text', '\u001b[200~a\u001cb\u001b[201~'],
  ])('is not found in %s', (_, typed) => {
    expect(before(typed)).toBeNull()
  })
})

it.each([
  ['\u0003', true],
  ['\u001c', true],
  ['\u001b[92;5u', true],
  ['q', false],
  ['\u001b[?62c', false],
])('watching is left with Ctrl+C as well, and with nothing that a terminal answers: %j', (typed, leaves) => {
  expect(leavesWatching(Buffer.from(typed, 'latin1'))).toBe(leaves)
})
