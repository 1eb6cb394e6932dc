import { roleOf } from '../access'
import type { ForgeIssue, ForgeRepository, ForgeUser, TimelineEntry } from '../forge-model'
import { issueOf, type ForgeState } from '../forge-state'
import { addEntry } from './issue-acts'

/*
 * Numbers of issues in texts, and the keywords that close them. Code and HTML comments do not count, quotations do.
 */

export interface Mention {
  readonly issue: ForgeIssue
  readonly closes: boolean
}

const keyword = '(?:clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed))'

const readable = (text: string): string =>
  text
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, ' ')
    .replace(/`[^`\n]*`/g, ' ')

export function mentionsIn(text: string, of: ForgeRepository, state: ForgeState): Mention[] {
  const pattern = new RegExp(`(?:\\b(${keyword}):?\\s+)?(?:\\b([\\w.-]+)/([\\w.-]+))?#(\\d+)\\b`, 'gi')
  const found = new Map<ForgeIssue, boolean>()
  for (const [, word, owner, name, number] of readable(text).matchAll(pattern)) {
    const repository = owner !== undefined && name !== undefined ? state.repository(owner, name) : of
    const issue = repository === undefined ? undefined : issueOf(repository, Number(number))
    if (issue !== undefined) found.set(issue, word !== undefined || found.get(issue) === true)
  }
  return [...found].map(([issue, closes]) => ({ issue, closes }))
}

/** Notes at the mentioned issues that this one speaks of them; moves their `updated_at`. */
export function noteMentions(
  state: ForgeState,
  from: ForgeIssue,
  text: string,
  user: ForgeUser,
  comment?: TimelineEntry,
): void {
  for (const { issue, closes } of mentionsIn(text, from.repository, state)) {
    if (issue === from || roleOf(issue.repository, user) === null) continue
    const isKnown = issue.entries.some(
      ({ reference }) => reference?.issue === from && reference.comment === comment,
    )
    if (isKnown) continue
    const type = comment !== undefined ? 'comment_ref' : from.pull === null ? 'issue_ref' : 'pull_ref'
    addEntry(state, issue, {
      type,
      user,
      reference: {
        issue: from,
        closes: closes && from.pull !== null,
        ...(comment === undefined ? {} : { comment }),
      },
    })
  }
}
