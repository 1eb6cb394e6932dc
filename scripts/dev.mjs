// npm run dev: the window with the dev server; the renderer reloads on change, the main process restarts.
import { bundler, bundlerEnv, forgetBuild } from './setup/build.mjs'
import { runInForeground } from './setup/commands.mjs'
import { whyNoDisplay } from './setup/display.mjs'
import { onToolingNode } from './setup/node.mjs'
import { appDir } from './setup/places.mjs'
import { electronSwitches, setUp } from './setup/set-up.mjs'
import { endWith, StepError } from './setup/steps.mjs'

await onToolingNode(import.meta.url)
try {
  const reason = await whyNoDisplay()
  if (reason !== undefined)
    throw new StepError(
      `there is no display for the window: ${reason}`,
      'set DISPLAY, or use npm run demo -- --headless',
    )
  const { electron, env } = await setUp({ electron: true, docker: true })
  forgetBuild()
  const noSandbox = electronSwitches().includes('--no-sandbox')
  const devEnv = {
    ...env,
    ALFRED_CHECK_ANSWERS: '1',
    ...bundlerEnv(electron),
    ...(noSandbox ? { NO_SANDBOX: '1' } : {}),
  }
  process.exit(
    await runInForeground(process.execPath, [bundler(), 'dev', '--watch', ...process.argv.slice(2)], {
      cwd: appDir,
      env: devEnv,
    }),
  )
} catch (error) {
  endWith(error)
}
