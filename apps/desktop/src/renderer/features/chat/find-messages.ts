import type { ChatMessageRow } from '@shared/contract/chats'

/** The turns in which every word of the text was said, by whom ever; null: nothing is looked for. */
export function turnsWith(messages: readonly ChatMessageRow[], text: string): ReadonlySet<number> | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  const said = new Map<number, string>()
  for (const message of messages)
    said.set(message.runId, `${said.get(message.runId) ?? ''}\n${message.text.toLowerCase()}`)
  return new Set(
    [...said].filter(([, all]) => words.every((word) => all.includes(word))).map(([runId]) => runId),
  )
}
