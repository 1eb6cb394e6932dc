// npm run demo: the window opens with the demo project. With --headless (or without a display) it runs by itself.
import { whyNoDisplay } from './setup/display.mjs'
import { onToolingNode } from './setup/node.mjs'
import { endWith, say } from './setup/steps.mjs'
import { usageOnHelp } from './setup/usage.mjs'
import { runHeadless } from './headless.mjs'
import { openWindow } from './window.mjs'

const args = process.argv.slice(2)

async function hasNone() {
  const reason = await whyNoDisplay()
  if (reason !== undefined) say(`There is no display (${reason}), so the demo runs without a window.`)
  return reason !== undefined
}

usageOnHelp(`
npm run demo [-- OPTIONS]

Opens the window with the demo project. With --headless, --json or without a display it runs by itself.

  --headless                without a window
  --json                    headless; issues and sessions as JSON when all is done
  --runner container|host   headless: where the agent works (default: container)
  --yes                     with --runner host: consent to work without a container
  --remove                  headless: remove the demo project, and do nothing else
  --help                    show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  const headlessArgs = args.filter((arg) => arg !== '--headless')
  const isHeadless = args.includes('--headless') || args.includes('--json') || (await hasNone())
  process.exit(
    isHeadless
      ? await runHeadless(['demo', ...headlessArgs])
      : await openWindow(['--demo', ...args], headlessArgs),
  )
} catch (error) {
  endWith(error)
}
