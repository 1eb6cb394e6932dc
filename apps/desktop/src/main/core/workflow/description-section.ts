import { textSha256 } from './markers'
import type { Digest } from './facts'

/*
 * Alfred's own part of an issue's description. All around it is left byte for byte as people wrote it.
 */

const START = '<!-- agent:section:start -->'
const END = '<!-- agent:section:end -->'

interface Section {
  readonly from: number
  /** After the end marker. */
  readonly to: number
}

/** Where the section is; null: there is none; `broken`: a marker is missing, doubled or out of order. */
function findSection(body: string): Section | 'broken' | null {
  const starts = body.split(START).length - 1
  const ends = body.split(END).length - 1
  if (starts === 0 && ends === 0) return null
  const from = body.indexOf(START)
  const end = body.indexOf(END)
  return starts === 1 && ends === 1 && from < end ? { from, to: end + END.length } : 'broken'
}

/**
 * The body with the section's text replaced, or added at the end. Null when the markers cannot be trusted:
 * then the text belongs in a comment.
 */
export function replaceSection(body: string, text: string): string | null {
  const section = findSection(body)
  if (section === 'broken') return null
  const lineBreak = body.includes('\r\n') ? '\r\n' : '\n'
  const block = [START, '', ...text.trim().split('\n'), '', END].join(lineBreak)
  if (section !== null) return body.slice(0, section.from) + block + body.slice(section.to)
  if (body.trim() === '') return block
  const gap = /\n[ \t]*\r?\n$/.test(body) ? '' : body.endsWith('\n') ? lineBreak : lineBreak + lineBreak
  return body + gap + block
}

/** The text of Alfred's section; null: there is none, or its marks cannot be trusted. */
export function sectionOf(body: string): string | null {
  const section = findSection(body)
  if (section === null || section === 'broken') return null
  return body.slice(section.from + START.length, section.to - END.length).trim()
}

/** What people wrote: the body without Alfred's section; a body with broken markers is all theirs. */
export function withoutSection(body: string): string {
  const section = findSection(body)
  if (section === null || section === 'broken') return body
  return `${body.slice(0, section.from).trimEnd()}\n\n${body.slice(section.to).trimStart()}`.trim()
}

/** Digests of what a plan is made from: the title, and the body without Alfred's section. */
export function issueDigests(digest: Digest, issue: { readonly title: string; readonly body: string }) {
  const titleSha256 = textSha256(digest, issue.title.trim())
  const bodySha256 = textSha256(digest, withoutSection(issue.body).trim())
  return { titleSha256, bodySha256, issueSha256: digest(`${titleSha256}:${bodySha256}`) }
}
