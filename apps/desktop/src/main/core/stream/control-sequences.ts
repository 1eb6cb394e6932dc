/*
 * Agent output ends up in a terminal-like view, in logs and in notifications. What could steer a terminal
 * (colours, cursor, titles, clipboard writes) is taken out; what is left of it stays visible.
 */

/* eslint-disable no-control-regex -- control characters are what this file is about */

/** Nothing to do? Nearly every line says so, which decides the speed: a search for what is amiss takes a third longer. */
const harmless = /^[\t\n\u0020-\u007e\u00a0-\uffff]*$/

/**
 * What a text of these bytes is: `harmless` if `neutraliseControls` leaves it as it is, `ascii` if all of it is that as
 * well. Looks at four bytes at once, which takes a tenth of the time that it takes to look at their text.
 */
export function lookAtBytes(bytes: Uint8Array): 'ascii' | 'harmless' | 'controls' {
  const seen = bitsUnlessControls(bytes)
  if (seen === null) return 'controls'
  if ((seen & highestBits) === 0) return 'ascii'
  return holdsLateControl(bytes) ? 'controls' : 'harmless'
}

/** Of each of the four bytes of a word. */
const highestBits = 0x8080_8080 | 0
const wordsAtOnce = 8

/** All bits of all bytes together; null if one of these is below U+0020 and no tab or line feed, or is U+007F. */
function bitsUnlessControls(bytes: Uint8Array): number | null {
  const { buffer, byteOffset, length } = bytes
  const first = -byteOffset & 3
  if (length < first + 4) return bitsOfBytesUnlessControls(bytes, 0, length)
  const words = new Int32Array(buffer, byteOffset + first, (length - first) >> 2)
  const lastGroup = words.length - (words.length % wordsAtOnce)
  let seen = 0
  for (let group = 0; group < lastGroup; group += wordsAtOnce) {
    let plain = highestBits
    for (let index = group; index < group + wordsAtOnce; index += 1) {
      const word = words[index] ?? 0
      seen |= word
      // One up, 0x7f becomes 0 and all others that are asked for lie from 0x21 on: with 0x5f more their highest bit is set.
      plain &= ((word + 0x0101_0101) & 0x7f7f_7f7f) + 0x5f5f_5f5f
    }
    if ((plain & highestBits) === highestBits) continue
    // A line feed, a tab, a byte of a longer character, or a control.
    const at = first + group * 4
    if (bitsOfBytesUnlessControls(bytes, at, at + wordsAtOnce * 4) === null) return null
  }
  const before = bitsOfBytesUnlessControls(bytes, 0, first)
  const after = bitsOfBytesUnlessControls(bytes, first + lastGroup * 4, length)
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
