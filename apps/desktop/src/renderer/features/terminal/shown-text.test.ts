import { describe, expect, it } from 'vitest'
import { base64Of, bytesOf, pastedText, shownText } from './shown-text'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('shownText', () => {
  it('waits for the rest of a character that came in pieces', () => {
    const shown = shownText()
    const whole = bytes('a😀b')
    expect([...whole].map((byte) => shown(Uint8Array.of(byte))).join('')).toBe('a😀b')
  })

  it('shows something in the place of what is no text, and goes on', () => {
    expect(shownText()(Uint8Array.of(0xff, 0x41))).toBe('\uFFFDA')
  })

  it('leaves out what turns the direction of a line', () => {
    expect(shownText()(bytes('pay \u202Eeno\u202C \u2066x\u2069'))).toBe('pay eno x')
  })
})

describe('pastedText', () => {
  it('keeps lines and tabs, and nothing that is a key', () => {
    expect(pastedText('a\tb\r\nc\u001B[201~rm -rf\u0003\u009B1~ ü😀')).toBe('a\tb\r\nc[201~rm -rf1~ ü😀')
  })
})

describe('base64Of', () => {
  it('is read back', () => {
    const all = Uint8Array.from({ length: 256 }, (_, n) => n)
    expect(bytesOf(base64Of(all))).toEqual(all)
    expect(bytesOf(base64Of(new Uint8Array()))).toEqual(new Uint8Array())
  })
})
