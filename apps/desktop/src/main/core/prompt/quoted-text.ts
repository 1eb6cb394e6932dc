/*
 * Texts of others as a prompt holds them.
 */

const MAX_TEXT = 100_000

/** Every kind of line break begins a new quoted line. */
export const quoted = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/)
    .map((line) => `> ${line}`)
    .join('\n')

export const withoutControls = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  text.replace(/[\u0000-\u0008\u000e-\u001f\u007f]/g, '')

/** Without control characters and hidden comments, cut at 100,000 characters. */
export function plainText(text: string): string {
  const visible = withoutControls(text.replace(/<!--[^]*?(?:-->|$)/g, '')).trim()
  return visible.length <= MAX_TEXT ? visible : `${visible.slice(0, MAX_TEXT)}\n(cut here)`
}

export const oneLine = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- they are what is taken out
    .replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ')
    .trim()
    .slice(0, 500)
