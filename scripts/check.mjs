// npm run check: format, lint with the layer rules, types for every runtime, dead code. No tests. Nothing may warn.
// With --fix it first mends what a tool can mend.
import { onToolingNode } from './setup/node.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith } from './setup/steps.mjs'
import { usageOnHelp } from './setup/usage.mjs'
import { mend, runChecks } from './suites/checks.mjs'

usageOnHelp(`
npm run check [-- --fix]

Format, lint with the layer rules, types of every runtime, dead code. No tests.

  --fix     first mend what a tool can mend
  --help    show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  await setUp({})
  if (process.argv.includes('--fix')) await mend()
  const { failed } = await runChecks()
  process.exit(failed === 0 ? 0 : 1)
} catch (error) {
  endWith(error)
}
