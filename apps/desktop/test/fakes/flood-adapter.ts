import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import { sessionArguments, uuidPattern } from '@main/adapters/agents/session-arguments'
import type { AgentAdapter } from '@main/ports/agent-adapter'

/** Lines that the agent prints as fast as it can, three megabytes in all, each with its number. */
export const floodLines = 30_000

export const floodLine = (number: number): string =>
  `line ${number}: the crates are at the pier until Thursday`

const programFile = 'flood.mjs'

/** The scripted adapter with an agent that prints much more at once than could be stored row by row. */
export function createFloodAdapter(): AgentAdapter {
  return {
    ...createFakeAdapter(),
    start: ({ session }) => ({
      argv: ['node', `/alfred/in/${programFile}`, ...sessionArguments(session, uuidPattern)],
      environment: {},
      files: { [programFile]: program },
    }),
  }
}

const program = `import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'

const floodLine = ${String(floodLine)}
const print = (events) => {
  const data = Buffer.from(events.map((event) => JSON.stringify(event) + '\\n').join(''))
  for (let at = 0; at < data.length; ) at += writeSync(1, data, at)
}
const asked = process.argv.indexOf('--session-id')
print([{ type: 'init', session_id: asked === -1 ? randomUUID() : process.argv[asked + 1] }])
print(Array.from({ length: ${floodLines} }, (_, number) => ({ type: 'text', text: floodLine(number) })))
print([{ type: 'result', is_error: false, text: 'The plan.' }])
`
