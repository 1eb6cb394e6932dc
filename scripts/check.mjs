// npm run check: format, lint with the layer rules, types for every runtime, dead code. No tests. Nothing may warn.
import { onToolingNode } from './setup/node.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith } from './setup/steps.mjs'
import { runChecks } from './suites/checks.mjs'

await onToolingNode(import.meta.url)
try {
  await setUp({})
  const { failed } = await runChecks()
  process.exit(failed === 0 ? 0 : 1)
} catch (error) {
  endWith(error)
}
