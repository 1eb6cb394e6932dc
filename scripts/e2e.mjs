// npm run e2e: the tests in a real Electron. Arguments go to Playwright (a file, -g "name", --headed has no meaning).
import { onToolingNode } from './setup/node.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith } from './setup/steps.mjs'
import { e2eNeeds, runE2e } from './suites/e2e.mjs'

await onToolingNode(import.meta.url)
try {
  const { failed, passed } = await runE2e(await setUp(e2eNeeds), process.argv.slice(2))
  process.exit(failed === 0 && passed > 0 ? 0 : 1)
} catch (error) {
  endWith(error)
}
