// Opens the window; where there can be none, the demo runs without it.
import { runInForeground } from './setup/commands.mjs'
import { appDir } from './setup/places.mjs'
import { electronSwitches, setUp } from './setup/set-up.mjs'
import { say } from './setup/steps.mjs'
import { runHeadless } from './headless.mjs'

/** What the system's loader ends a program with when libraries of it are missing. */
const librariesMissing = 127

/** Sets up what a window needs and returns its exit code, or that of the demo with `demoArgs` where none can be opened. */
export async function openWindow(
  args,
  demoArgs,
  { prepare = setUp, start = runInForeground, playDemo = runHeadless } = {},
) {
  const { electron, env } = await prepare({
    electron: true,
    goesOnWithoutElectron: true,
    docker: true,
    build: true,
  })
  if (electron !== undefined) {
    const code = await start(electron.executable, [...electronSwitches(), appDir, ...args], { env })
    if (code !== librariesMissing) return code
  }
  say('The window cannot be opened here; why, and what to do, stands above. The demo runs without it.')
  return playDemo(['demo', ...demoArgs])
}
