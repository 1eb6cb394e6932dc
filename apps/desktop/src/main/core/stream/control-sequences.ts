/*
 * Agent output ends up in a terminal-like view, in logs and in notifications. What could steer a terminal
 * (colours, cursor, titles, clipboard writes) is taken out; what is left of it stays visible.
 */

/* eslint-disable no-control-regex -- control characters are what this file is about */

/** Nothing to do? Nearly every line says so, which decides the speed: a search for what is amiss takes a third longer. */
const harmless = /^[\t\n\u0020-\u007e\u00a0-\uffff]*$/

/**
 * What a text of these bytes is: `harmless` if `neutraliseControls` leaves it as it is, `ascii` if all of it is that as
 * well. Looks at four bytes at once, which takes a fifth of the time that it takes to look at their text.
 */
export function lookAtBytes(bytes: Uint8Array): 'ascii' | 'harmless' | 'controls' {
  const seen = bitsUnlessControls(bytes)
  if (seen === null) return 'controls'
  if ((seen & highestBits) === 0) return 'ascii'
  return holdsLateControl(bytes) ? 'controls' : 'harmless'
}

/** Of each of four bytes. */
const highestBits = 0x80808080

/** All bits of all bytes, in words of four; null if one is below U+0020, or U+007F. */
function bitsUnlessControls(bytes: Uint8Array): number | null {
  const { buffer, byteOffset, length } = bytes
  const first = -byteOffset & 3
  if (length < first + 4) return bitsOfBytesUnlessControls(bytes, 0, length)
  const words = new Int32Array(buffer, byteOffset + first, (length - first) >> 2)
  let seen = 0
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0
    seen |= word
    const noDelete = word ^ 0x7f7f7f7f
    // The highest bit of a byte: it is below 0x20, or it is 0x7f; or, now and then, it stands beside such a byte.
    const suspects = ((word - 0x20202020) & ~word) | ((noDelete - 0x01010101) & ~noDelete)
    const at = first + index * 4
    if ((suspects & highestBits) !== 0 && bitsOfBytesUnlessControls(bytes, at, at + 4) === null) return null
  }
  const before = bitsOfBytesUnlessControls(bytes, 0, first)
  const after = bitsOfBytesUnlessControls(bytes, first + words.length * 4, length)
  return before === null || after === null ? null : seen | before | after
}

function bitsOfBytesUnlessControls(bytes: Uint8Array, from: number, to: number): number | null {
  let seen = 0
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a)) return null
    seen |= byte
  }
  return seen
}

/** U+0080 to U+009F, which UTF-8 writes in two bytes. */
function holdsLateControl(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xc2); at !== -1; at = bytes.indexOf(0xc2, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next >= 0x80 && next < 0xa0) return true
  }
  return false
}

/** Strings with an end mark (OSC, DCS, SOS, PM, APC); without one they would swallow the line, so they are cut short. */
const strings =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]{0,4096}(?:\u0007|\u001b\\|\u009c)/g
const controlSequences = /(?:\u001b\[|\u009b)[\u0030-\u003f]{0,64}[\u0020-\u002f]{0,8}[\u0040-\u007e]/g
const shortEscapes = /\u001b[\u0020-\u002f]{0,8}[\u0030-\u007e]/g
const carriageReturnAtEnd = /\r+$/gm
const otherControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Removes whole control sequences and shows every other control character as its picture (NUL as ␀),
 * so that nothing is hidden and nothing steers. Tabs and line feeds stay.
 */
export function neutraliseControls(text: string): string {
  if (harmless.test(text)) return text
  return text
    .replace(strings, '')
    .replace(controlSequences, '')
    .replace(shortEscapes, '')
    .replace(carriageReturnAtEnd, '')
    .replace(otherControls, picture)
}

function picture(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
