import type { ChatMessage } from '@shared/model/records'
import type { AdapterId } from '@shared/model/words'

export interface ChatMarkdownFacts {
  readonly title: string
  /** `organization/project#12`. */
  readonly issue: string
  readonly issueTitle: string
  readonly adapter: AdapterId
  /** Oldest first. */
  readonly messages: readonly Pick<ChatMessage, 'role' | 'runId' | 'state' | 'text' | 'createdAt'>[]
}

/** A chat as a file that people keep: who said what, when, and in which run. */
export function chatMarkdown(facts: ChatMarkdownFacts): {
  readonly fileName: string
  readonly markdown: string
} {
  const { title, issue, issueTitle, adapter, messages } = facts
  const parts = messages.map(({ role, runId, state, text, createdAt }) => {
    const who = role === 'person' ? 'You' : adapter
    const wasSent = role === 'person' && state === 'draft' ? ', did not reach the agent' : ''
    const words = role === 'person' ? text.trim() : quoted(text)
    return `---\n\n**${who}** · ${dateOf(createdAt)} · run ${runId}${wasSent}\n\n${words}\n`
  })
  return {
    fileName: `${fileWords(issue)}-${fileWords(title)}.md`,
    markdown: [`# ${oneLine(title)}\n\n${oneLine(issue)}: ${harmless(oneLine(issueTitle))}\n`, ...parts].join(
      '\n',
    ),
  }
}

/** Within a quote nothing that an agent wrote looks like a turn of somebody else. */
const quoted = (text: string): string =>
  harmless(text.trim())
    .split(/\r\n|[\n\r]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

/** No viewer reads it as HTML or loads a picture for it. A backslash that is there must not take ours away. */
const harmless = (text: string): string => text.replaceAll(/(\\*)(<|!\[)/g, String.raw`$1$1\$2`)

/** `2026-11-30 14:02 UTC` */
const dateOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Safe in the name of a file on every system. */
const fileWords = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60) || 'chat'
