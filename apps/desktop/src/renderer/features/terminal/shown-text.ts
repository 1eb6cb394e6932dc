/*
 * What a program prints, as text for the emulator. A character may come in two pieces. The signs that turn the
 * direction of a line are left out: terminals do not know them, and in a page they would draw words over others.
 */

const turns = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

export function shownText(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder()
  return (bytes) => decoder.decode(bytes, { stream: true }).replaceAll(turns, '')
}

/** What a person pastes, without what would be keys: nothing in it ends the paste or starts a command of the terminal. */
export const pastedText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is meant
  text.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g, '')

export const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (sign) => sign.codePointAt(0) ?? 0)

export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCodePoint(byte)
  return btoa(text)
}
