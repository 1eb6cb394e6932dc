// npm start: sets up what is missing, builds, opens the window. Without a display: the demo, headless.
import { runInForeground } from './setup/commands.mjs'
import { hasDisplay } from './setup/display.mjs'
import { onToolingNode } from './setup/node.mjs'
import { appDir } from './setup/places.mjs'
import { electronSwitches, setUp } from './setup/set-up.mjs'
import { endWith, say } from './setup/steps.mjs'
import { usageOnHelp } from './setup/usage.mjs'
import { runHeadless } from './headless.mjs'

usageOnHelp(`
npm start [-- OPTIONS]

Sets up what is missing, builds, and opens the window. Without a display it runs the demo headless.
OPTIONS go to the window.

  --demo    open it with the demo project
  --help    show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  process.exit(hasDisplay() ? await openWindow(process.argv.slice(2)) : await showDemo())
} catch (error) {
  endWith(error)
}

async function openWindow(args) {
  const { electron, env } = await setUp({ electron: true, docker: true, build: true })
  return runInForeground(electron.executable, [...electronSwitches(), appDir, ...args], { env })
}

function showDemo() {
  say('There is no display (DISPLAY and WAYLAND_DISPLAY are not set), so the demo runs without a window.')
  return runHeadless(['demo'])
}
