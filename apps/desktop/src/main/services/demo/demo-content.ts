/*
 * The demo project: a small real library with tests, and two issues that its agent can really solve.
 */

export const demoProject = { organization: 'demo', name: 'harbour-notes' } as const

/** Issue 1 remembers; issue 2 loses its memory on purpose. */
export const demoIssues = [
  {
    title: 'Turn note titles into slugs for links',
    body: `Links to a note use its number today. They should say what the note is about: \`/notes/creme-brulee-twice\`.

- Accents are folded, everything else that is no letter or digit becomes one dash.
- No dash at either end; a title of only signs gives an empty slug.
- A test shows both.`,
  },
  {
    title: 'Show how long a note took to write, in hours, minutes and seconds',
    body: `A note knows when it was begun and finished. The list should show the duration between them.

- \`1 h 2 min 3 s\`; parts that are 0 are left out.
- Nothing at all reads as \`0 s\`.
- A test shows both.`,
  },
] as const

/** The issue whose session state is taken away before its development. */
export const forgetfulIid = 2

export const demoFiles: Readonly<Record<string, string>> = {
  'README.md': `# harbour-notes

A log for small harbours: who came in, who left, and what was noted about it.

    node --test

Everything is plain JavaScript without dependencies. \`src/notes.js\` holds the log, \`src/tide.js\` what the water does.
`,
  'package.json': `${JSON.stringify({ name: 'harbour-notes', version: '0.3.0', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  '.gitignore': 'node_modules/\n',
  'src/notes.js': `/** A log of notes, newest first. */
export function createLog() {
  const notes = []
  return {
    add(title, text, { begunAt, finishedAt }) {
      const note = { number: notes.length + 1, title, text, begunAt, finishedAt }
      notes.unshift(note)
      return note
    },
    list: () => [...notes],
    find: (number) => notes.find((note) => note.number === number) ?? null,
    search: (word) => notes.filter(({ title, text }) => \`\${title} \${text}\`.toLowerCase().includes(word.toLowerCase())),
  }
}

/** The address of a note. */
export const linkTo = (note) => \`/notes/\${note.number}\`
`,
  'src/tide.js': `/** Height of the water in metres at a time, between a low and a high tide (times in minutes). */
export function tideAt(minute, low, high) {
  const part = (minute - low.minute) / (high.minute - low.minute)
  const share = (1 - Math.cos(Math.PI * Math.min(1, Math.max(0, part)))) / 2
  return low.metres + share * (high.metres - low.metres)
}
`,
  'test/notes.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, linkTo } from '../src/notes.js'

const times = { begunAt: 0, finishedAt: 60_000 }

test('the newest note comes first', () => {
  const log = createLog()
  log.add('Trawler Ada in', 'Berth 4.', times)
  log.add('Fog', 'Horn since six.', times)
  assert.deepEqual(log.list().map((note) => note.title), ['Fog', 'Trawler Ada in'])
})

test('a search finds words of title and text', () => {
  const log = createLog()
  log.add('Fog', 'Horn since six.', times)
  assert.equal(log.search('horn').length, 1)
  assert.equal(log.search('ice').length, 0)
})

test('a link leads to the number of a note', () => {
  assert.equal(linkTo({ number: 7 }), '/notes/7')
})
`,
  'test/tide.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tideAt } from '../src/tide.js'

const low = { minute: 0, metres: 1 }
const high = { minute: 372, metres: 5 }

test('the water stands at its low and its high', () => {
  assert.equal(tideAt(0, low, high), 1)
  assert.equal(tideAt(372, low, high), 5)
  assert.equal(tideAt(186, low, high), 3)
})
`,
}
