// Runs the engine without a window, as the command `alfred`.
import path from 'node:path'
import { runInForeground } from './setup/commands.mjs'
import { appDir, outDir } from './setup/places.mjs'
import { setUp } from './setup/set-up.mjs'

/** Sets up what a headless engine needs and returns the exit code of `alfred ...args`. */
export async function runHeadless(args, { docker = true } = {}) {
  const { env } = await setUp({ docker, build: true })
  return runInForeground(process.execPath, [path.join(outDir, 'main', 'alfred.cjs'), ...args], {
    // what a person of this clone types for `alfred`, for help and advice
    env: { ALFRED_COMMAND: 'npm run -s alfred --', ...env, ALFRED_RESOURCES: path.join(appDir, 'resources') },
  })
}
