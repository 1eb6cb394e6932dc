// The one set-up behind start, demo, test and the rest: every script says what it needs, and gets it once.
import { ensureBuild } from './build.mjs'
import { canInstall, install } from './debian.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDisplayParts } from './display.mjs'
import { ensureDockerEngine } from './docker-engine.mjs'
import { ensureElectron } from './electron.mjs'
import { ensureNativeBinding, isBindingCached, missingCompilerParts } from './native-binding.mjs'
import { isRoot } from './places.mjs'
import { say, step, StepError } from './steps.mjs'

/**
 * Makes ready what is asked for (`electron`, `officialElectronOnly`, `docker`, `testDisplay`, `build`) and returns
 * `{ electron, docker, env }`; `env` is for starting the app. With `goesOnWithoutElectron` a runtime that cannot be had
 * is told and left undefined. Call after `onToolingNode`.
 */
export async function setUp({
  electron = false,
  officialElectronOnly = false,
  goesOnWithoutElectron = false,
  docker = false,
  testDisplay = false,
  build = false,
}) {
  // the system's packages beside npm and the downloads: neither waits for the other
  const [engine, , runtime = {}] = await allOf([
    docker ? ensureDockerEngine() : undefined,
    electron ? ensureDisplayParts({ tests: testDisplay }) : undefined,
    ensureApp({ electron, officialElectronOnly, goesOnWithoutElectron, build }),
  ])
  return { electron: runtime.electron, docker: engine, env: appEnv(runtime.binding) }
}

async function ensureApp({ electron, officialElectronOnly, goesOnWithoutElectron, build }) {
  await ensureDependencies()
  const wanted = electron ? ensureRuntime(officialElectronOnly) : undefined
  const [runtime] = await allOf([
    goesOnWithoutElectron ? unlessTold(wanted) : wanted,
    build ? ensureBuild() : undefined,
  ])
  return runtime
}

/** Nothing where a step could not be done, which it has told by then. */
async function unlessTold(work) {
  try {
    return await work
  } catch (error) {
    if (error instanceof StepError) return undefined
    throw error
  }
}

/** Lets every step come to its end before the first failure is passed on, so that none is cut off half-way. */
async function allOf(steps) {
  const results = await Promise.allSettled(steps)
  const failure = results.find(({ status }) => status === 'rejected')
  if (failure) throw failure.reason
  return results.map(({ value }) => value)
}

async function ensureRuntime(officialOnly) {
  let binding
  const onFallback = () => {
    binding = ensureCompiler().then(ensureNativeBinding)
    binding.catch(() => {}) // awaited below
  }
  const electron = await ensureElectron({ officialOnly, onFallback })
  return { electron, binding: await binding }
}

async function ensureCompiler() {
  if (isBindingCached() || missingCompilerParts().length === 0 || !canInstall) return
  await step('compiler', {
    find: async () => undefined,
    doing: 'installing g++, make and python3 for the fallback runtime (apt-get)',
    make: async () => {
      await install(['g++', 'make', 'python3'])
      return {}
    },
  })
}

function appEnv(binding) {
  const env = { ...process.env }
  delete env.ELECTRON_RUN_AS_NODE
  if (binding) env.ALFRED_SQLITE_BINDING = binding
  return env
}

/** Switches for opening the window. Chromium refuses to sandbox what root starts. */
export function electronSwitches() {
  // below "fatal" Chromium complains about buses and graphics that a machine may well lack
  const switches = ['--log-level=3']
  if (process.platform !== 'linux' || !isRoot) return switches
  say('[set-up] running as root: the window starts with --no-sandbox (not as another user)')
  return [...switches, '--no-sandbox']
}
