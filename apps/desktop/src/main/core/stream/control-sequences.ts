/*
 * Agent output ends up in a terminal-like view, in logs and in notifications. What could steer a terminal
 * (colours, cursor, titles, clipboard writes) is taken out; what is left of it stays visible.
 */

/* eslint-disable no-control-regex -- control characters are what this file is about */

/** Nothing to do? Nearly every line says so, which decides the speed: a search for what is amiss takes a third longer. */
const harmless = /^[\t\n\u0020-\u007e\u00a0-\uffff]*$/

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
