// npm start: sets up what is missing, builds, opens the window. Without a display: the demo, headless.
import { whyNoDisplay } from './setup/display.mjs'
import { onToolingNode } from './setup/node.mjs'
import { endWith, say } from './setup/steps.mjs'
import { usageOnHelp } from './setup/usage.mjs'
import { runHeadless } from './headless.mjs'
import { openWindow } from './window.mjs'

usageOnHelp(`
npm start [-- OPTIONS]

Sets up what is missing, builds, and opens the window. Without a display it runs the demo headless.
OPTIONS go to the window.

  --demo    open it with the demo project
  --help    show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  const reason = await whyNoDisplay()
  process.exit(reason === undefined ? await openWindow(process.argv.slice(2), []) : await showDemo(reason))
} catch (error) {
  endWith(error)
}

function showDemo(reason) {
  say(`There is no display (${reason}), so the demo runs without a window.`)
  return runHeadless(['demo'])
}
