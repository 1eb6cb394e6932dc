// npm run -s alfred -- ...: the engine without a window.
import { runHeadless } from './headless.mjs'
import { onToolingNode } from './setup/node.mjs'
import { endWith, hushReady } from './setup/steps.mjs'

hushReady()
await onToolingNode(import.meta.url)
try {
  process.exit(await runHeadless(process.argv.slice(2)))
} catch (error) {
  endWith(error)
}
