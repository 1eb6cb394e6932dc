import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookAtBytes, neutraliseControls } from './control-sequences'

/* eslint-disable no-control-regex -- control characters are what this file is about */

describe('neutralising control sequences', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['a window title', '\u001b]0;owned\u0007text', 'text'],
    ['a clipboard write', 'a\u001b]52;c;aGk=\u001b\\b', 'ab'],
    ['a device string', '\u001bPq#0\u001b\\x', 'x'],
    ['eight-bit sequences', '\u009b2Jx', 'x'],
    ['a charset switch', '\u001b(0x', 'x'],
    ['a lone escape at the end', 'x\u001b', 'x\u241b'],
    ['NUL and backspace', 'a\u0000b\u0008c', 'a\u2400b\u2408c'],
    ['a carriage return inside', 'good\rbad', 'good\u240dbad'],
    ['tabs and line feeds', 'a\tb\nc', 'a\tb\nc'],
  ])('takes out or shows %s', (_what, text, expected) => {
    expect(neutraliseControls(text)).toBe(expected)
  })

  it('leaves an unended title string readable instead of swallowing the line', () => {
    expect(neutraliseControls('\u001b]0;no end here')).toBe('0;no end here')
  })

  it('never leaves a control character other than tab and line feed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(neutraliseControls(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      }),
    )
  })

  it('changes no text without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))
        expect(neutraliseControls(text)).toBe(text)
      }),
    )
  })
})

describe('a look at bytes', () => {
  const special = [
    0, 8, 9, 0x0a, 0x0d, 0x1b, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0x9f, 0xa0, 0xc2, 0xc3, 0xe0, 0xff,
  ]
  const plain = fc.constantFrom(0x20, 0x41, 0x7a, 0x7e, 0x09, 0x0a)
  const bytes = fc.oneof(
    fc.array(plain, { maxLength: 150, size: 'max' }),
    fc.array(fc.oneof({ weight: 40, arbitrary: plain }, fc.constantFrom(...special)), {
      maxLength: 150,
      size: 'max',
    }),
  )

  it('says of their text whether anything in it would be neutralised, wherever they lie', () => {
    fc.assert(
      fc.property(bytes, fc.nat({ max: 7 }), (values, offset) => {
        const part = Buffer.concat([Buffer.alloc(offset), Buffer.from(values)]).subarray(offset)
        const text = part.toString('utf8')
        const isAscii = values.every((byte) => byte < 0x80)
        expect(lookAtBytes(part)).toBe(
          neutraliseControls(text) === text ? (isAscii ? 'ascii' : 'harmless') : 'controls',
        )
      }),
      { numRuns: 5_000 },
    )
  })
})
