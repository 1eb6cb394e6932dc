/*
 * Agent output ends up in a terminal-like view, in logs and in notifications. What could steer a terminal
 * (colours, cursor, titles, clipboard writes) is taken out; what is left of it stays visible.
 */

/* eslint-disable no-control-regex -- control characters are what this file is about */

/** Nothing to do? Nearly every line says so, which decides the speed: a search for what is amiss takes a third longer. */
const harmless = /^[\t\n\u0020-\u007e\u00a0-\uffff]*$/

/**
 * Whether a text of these bytes is one that `neutraliseControls` leaves as it is. Looks at four bytes at once, which
 * takes a fifth of the time that it takes to look at their text.
 */
export const areHarmless = (bytes: Uint8Array): boolean =>
  !holdsEarlyControl(bytes) && !holdsLateControl(bytes)

/** Below U+0020, or U+007F. */
function holdsEarlyControl(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes
  const first = -byteOffset & 3
  if (length < first + 4) return holdsControlByte(bytes, 0, length)
  const words = new Int32Array(buffer, byteOffset + first, (length - first) >> 2)
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0
    const noDelete = word ^ 0x7f7f7f7f
    // The highest bit of a byte: it is below 0x20, or it is 0x7f; or, now and then, it stands beside such a byte.
    const suspects = ((word - 0x20202020) & ~word) | ((noDelete - 0x01010101) & ~noDelete)
    const at = first + index * 4
    if ((suspects & 0x80808080) !== 0 && holdsControlByte(bytes, at, at + 4)) return true
  }
  return holdsControlByte(bytes, 0, first) || holdsControlByte(bytes, first + words.length * 4, length)
}

function holdsControlByte(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a)) return true
  }
  return false
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
