import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import { sessionArguments, uuidPattern } from '@main/adapters/agents/session-arguments'
import type { AgentAdapter } from '@main/ports/agent-adapter'

/** What an agent prints between its first and its last line. */
export interface Production {
  /** `events`: lines of a transcript, 1 kB on average; a number: lines of so many bytes that are no JSON. */
  readonly lines: 'events' | readonly number[]
  /** Of all events together; the lengths say it otherwise. */
  readonly bytes: number
  /** null: as fast as it can. */
  readonly bytesPerSecond: number | null
}

const programFile = 'producer.mjs'
const productionFile = 'production.json'

/** The scripted adapter with an agent that only prints, and says in the end how many lines. */
export function createProducerAdapter(production: Production): AgentAdapter {
  return {
    ...createFakeAdapter(),
    start: ({ session }) => ({
      argv: ['node', `/alfred/in/${programFile}`, ...sessionArguments(session, uuidPattern)],
      environment: {},
      files: { [programFile]: program, [productionFile]: JSON.stringify(production) },
    }),
  }
}

/** Prints whole blocks with synchronous writes, so that nothing but the file holds it up. */
const program = `import { randomUUID } from 'node:crypto'
import { readFileSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const { lines, bytes, bytesPerSecond } = JSON.parse(readFileSync(new URL('./${productionFile}', import.meta.url), 'utf8'))
const blockBytes = 1_000_000
let printedLines = 0
const write = (data) => {
  for (let at = 0; at < data.length; ) at += writeSync(1, data, at)
}
const print = (event) => write(Buffer.from(JSON.stringify(event) + '\\n'))

function* events() {
  const words = 'The crates are at the pier, and the crane is being repaired until Thursday. '
  for (let number = 0; ; number += 3) {
    const id = 'call-' + number
    yield { type: 'text', text: 'Step ' + number + '. ' + words.repeat(4) }
    yield { type: 'tool', id, name: 'read', summary: 'read src/pier.js', input: { path: 'src/pier.js', from: number } }
    yield { type: 'tool_result', id, failed: false, output: (words + '\\n').repeat(34) }
  }
}

function blockOfEvents() {
  let text = ''
  let count = 0
  for (const event of events()) {
    text += JSON.stringify(event) + '\\n'
    count += 1
    if (text.length >= blockBytes) return { block: Buffer.from(text), count }
  }
}

async function printEvents() {
  const { block, count } = blockOfEvents()
  const begin = performance.now()
  for (let printed = 0; printed < bytes; printed += block.length) {
    write(block)
    printedLines += count
    if (bytesPerSecond === null) continue
    const ahead = (printed + block.length) / bytesPerSecond * 1000 - (performance.now() - begin)
    if (ahead > 0) await pause(ahead)
  }
}

function printLine(length) {
  const block = Buffer.alloc(blockBytes, 'x')
  for (let left = length; left > 0; left -= block.length) write(block.subarray(0, left))
  write(Buffer.from('\\n'))
  printedLines += 1
}

const asked = process.argv.indexOf('--session-id')
print({ type: 'init', session_id: asked === -1 ? randomUUID() : process.argv[asked + 1] })
if (lines === 'events') await printEvents()
else for (const length of lines) printLine(length)
print({ type: 'result', is_error: false, text: printedLines + ' lines were printed.' })
`
