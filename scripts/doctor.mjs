// npm run doctor: what is there, what is missing and how to get it. Installs no engine: the doctor only looks.
import { runHeadless } from './headless.mjs'
import { onToolingNode } from './setup/node.mjs'
import { endWith, hushReady } from './setup/steps.mjs'

hushReady()
await onToolingNode(import.meta.url)
try {
  process.exit(await runHeadless(['doctor', ...process.argv.slice(2)], { docker: false }))
} catch (error) {
  endWith(error)
}
