// npm run demo: the window opens with the demo project. With --headless (or without a display) it runs by itself.
import { runInForeground } from './setup/commands.mjs'
import { hasDisplay } from './setup/display.mjs'
import { onToolingNode } from './setup/node.mjs'
import { appDir } from './setup/places.mjs'
import { electronSwitches, setUp } from './setup/set-up.mjs'
import { endWith } from './setup/steps.mjs'
import { usageOnHelp } from './setup/usage.mjs'
import { runHeadless } from './headless.mjs'

const args = process.argv.slice(2)

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
  const isHeadless = args.includes('--headless') || args.includes('--json') || !hasDisplay()
  process.exit(
    isHeadless
      ? await runHeadless(['demo', ...args.filter((arg) => arg !== '--headless')])
      : await openWindow(),
  )
} catch (error) {
  endWith(error)
}

async function openWindow() {
  const { electron, env } = await setUp({ electron: true, docker: true, build: true })
  return runInForeground(electron.executable, [...electronSwitches(), appDir, '--demo', ...args], { env })
}
