// npm run test:clis: what the real agent CLIs do with their sessions, as a matrix of checks.
import { parseArgs } from 'node:util'
import { onToolingNode } from './setup/node.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith } from './setup/steps.mjs'
import { refuseUnknown, usageOnHelp } from './setup/usage.mjs'
import { tellClis } from './suites/clis.mjs'

usageOnHelp(`
npm run test:clis [-- --json] [-- --only NAME,...]

Installs the pinned agent CLIs from the npm registry into a cache, runs them in the sandbox image against a scripted
model, and checks what they do with their sessions. Writes docs/cli-matrix.md when every CLI was run.

  --json         the matrix as JSON, alone on standard output
  --only NAME    only these CLIs (claude-code, codex, ...)
  --help         show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  refuseUnknown(process.argv.slice(2), ['--json', '--only'])
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' } } })
  const ready = await setUp({ docker: true })
  process.exit(await tellClis(ready.env, { json: values.json === true, only: values.only }))
} catch (error) {
  endWith(error)
}
