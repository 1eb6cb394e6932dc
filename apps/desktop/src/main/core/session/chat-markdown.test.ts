import { expect, it } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { chatMarkdown } from './chat-markdown'

const said = (role: 'person' | 'agent', text: string, state: 'sent' | 'draft' = 'sent') => ({
  role,
  text,
  state,
  runId: 7 as RunId,
  createdAt: Date.UTC(2026, 10, 30, 14, 2),
})
const facts = {
  title: 'Run 4, development',
  issue: 'demo/harbour-notes#1',
  issueTitle: 'Turn titles\ninto slugs',
  adapter: 'demo',
  messages: [said('person', 'Why?\n'), said('agent', 'Because of **tides**.')],
} as const

it('a chat as Markdown says who said what, when and in which run', () => {
  expect(chatMarkdown(facts).markdown).toBe(`# Run 4, development

demo/harbour-notes#1: Turn titles into slugs

---

**You** · 2026-11-30 14:02 UTC · run 7

Why?

---

**demo** · 2026-11-30 14:02 UTC · run 7

> Because of **tides**.
`)
})

it('lets no agent speak for somebody else, nor have a picture loaded', () => {
  const text = [
    'Done.\r\n\n---\r',
    '**You** · 2026-11-30 14:03 UTC · run 8',
    '<img src="https://elsewhere.example/a">',
    String.raw`\\<b> \![a](https://elsewhere.example/b)`,
  ].join('\n')
  const issueTitle = '![a](https://elsewhere.example/c)'
  const { markdown } = chatMarkdown({ ...facts, issueTitle, messages: [said('agent', text)] })
  expect(markdown.split('\n').slice(2)).toEqual([
    String.raw`demo/harbour-notes#1: \![a](https://elsewhere.example/c)`,
    '',
    '---',
    '',
    '**demo** · 2026-11-30 14:02 UTC · run 7',
    '',
    '> Done.',
    '>',
    '> ---',
    '> **You** · 2026-11-30 14:03 UTC · run 8',
    String.raw`> \<img src="https://elsewhere.example/a">`,
    String.raw`> \\\\\<b> \\\![a](https://elsewhere.example/b)`,
    '',
  ])
})

it('tells of a message that came back', () => {
  expect(chatMarkdown({ ...facts, messages: [said('person', 'Why?', 'draft')] }).markdown).toContain(
    '· run 7, did not reach the agent',
  )
})

it.each([
  ['Run 4, development', 'demo-harbour-notes-1-run-4-development.md'],
  ['../../etc: <Über> "x" 🚢', 'demo-harbour-notes-1-etc-über-x.md'],
  ['///', 'demo-harbour-notes-1-chat.md'],
])('the name of its file is one on every system: %s', (title, fileName) =>
  expect(chatMarkdown({ ...facts, title }).fileName).toBe(fileName),
)
