import { CLOSING_WORDS } from '../workflow/neutralise'

/*
 * What the messages of commits would close once they are merged. Commits are published as the agent made them, so that
 * their ids stay; a message that closes another issue than the own one waits for a person instead.
 */

export interface CommitMessage {
  readonly sha: string
  readonly message: string
}

/** Lengths are bounded, so that no message makes this slow. */
const closing = new RegExp(
  String.raw`\b(?:${CLOSING_WORDS})\b[\s:*_[(\x60]{0,5}(?:issues?[\s:]{0,3})?[\s[(\x60]{0,3}` +
    String.raw`((?:[\w./-]{1,200})?[#!]\d{1,9}|GH-\d{1,9}|https?:\/\/[^\s#?]{1,200}\/(?:issues|pulls)\/\d{1,9})`,
  'gi',
)
const listGoesOn = /^[\s,;&]{0,5}(?:and|or)?[\s,;&]{0,5}(?:[\w./-]{1,200})?[#!]\d/i

/** What each of them says, for people; only those that close something else. */
export const closingMessages = (commits: readonly CommitMessage[], iid: number): readonly string[] =>
  commits.flatMap(({ sha, message }) => {
    const found = [...message.matchAll(closing)].find((match) => {
      const end = match.index + match[0].length
      return !isOwn(match[1] ?? '', iid) || listGoesOn.test(message.slice(end, end + 300))
    })
    return found === undefined ? [] : [`commit ${sha.slice(0, 8)} says "${found[0].replace(/\s+/g, ' ')}"`]
  })

const isOwn = (reference: string, iid: number): boolean =>
  /^(?:#|GH-)(\d+)$/i.exec(reference)?.[1] === String(iid)
