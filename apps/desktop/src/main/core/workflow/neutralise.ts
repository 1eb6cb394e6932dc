/*
 * What the agent writes is posted in Alfred's name, so nothing in it may act: no hidden comments, nobody called,
 * no other issue closed, no command of the forge. Code is treated alike, since no two forges agree where it ends.
 */

/** Shows nothing and breaks a word for every forge's parser. */
const BREAK = '\u200b'

/** Words that close an issue, or open it again, in front of its number; for a regular expression. */
export const CLOSING_WORDS =
  'clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?|reopen(?:s|ed|ing)?'
/** What a forge takes for a reference after a keyword: `#1`, `!1`, `GH-1`, `a/b#1`, `PROJ-1`, an address. */
const REFERENCE = String.raw`(?:[#!&]\d|[\w./-]{1,200}[#!&]\d|[A-Za-z]\w{0,30}-\d|https?:\/\/)`

/** Lengths are bounded, so that no text makes this slow. */
const closing = new RegExp(
  String.raw`\b(?:${CLOSING_WORDS})\b(?=[\s:*_[(\x60]{0,5}(?:issues?[\s:]{0,3})?[\s[(\x60]{0,3}${REFERENCE})`,
  'gi',
)

/** `text` made harmless; a closing keyword stays whole only in front of nothing but the issue itself. */
export function neutralise(text: string, iid: number): string {
  return (
    text
      // Directions that make text read otherwise than it is.
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/<!--/g, '<! --')
      .replace(/-->/g, '-- >')
      .replace(/@(?=[\p{L}\p{N}_])/gu, `@${BREAK}`)
      .replace(closing, (keyword: string, at: number, whole: string) =>
        closesOnly(whole.slice(at + keyword.length, at + keyword.length + 300), iid)
          ? keyword
          : keyword.slice(0, 2) + BREAK + keyword.slice(2),
      )
      .replace(/^([ \t>*+-]*)\/(?=\p{L})/gmu, `$1${BREAK}/`)
  )
}

/** Whether what follows a keyword is the own issue alone, not a list of issues. */
const closesOnly = (rest: string, iid: number): boolean =>
  new RegExp(
    String.raw`^[ :]{1,2}#${iid}(?!\d)(?![\s,;&]{0,5}(?:and|or)?[\s,;&]{0,5}${REFERENCE})`,
    'i',
  ).test(rest)

/** Text of at most `limit` characters; a cut is said. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const words = `\n\n… ${text.length - limit} more characters are in Alfred's window.`
  // Not in the middle of a pair of surrogates.
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/, '') + words
}

/** One line of plain text as code, for messages of programs. */
export const asCode = (text: string): string =>
  `\`${text
    .replace(/[`\r\n]+/g, ' ')
    .trim()
    .slice(0, 500)}\``
