// better-sqlite3 ships binaries for Node-API 10; the fallback runtime has Node-API 9.
// For it the same source is compiled once, with the newer calls taken as "experimental", into the cache.
import fs from 'node:fs'
import path from 'node:path'
import { findProgram, lastLines, run } from './commands.mjs'
import { nodeHeaders } from './node.mjs'
import { cacheDir, requireFromApp, root } from './places.mjs'
import { step, StepError } from './steps.mjs'

const newCalls = "'NAPI_VERSION=10'"
const newCallsAsExperimental =
  "'NAPI_EXPERIMENTAL','NODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT','NODE_API_EXPERIMENTAL_NO_WARNING'"

const bindingFile = () =>
  path.join(cacheDir, `better-sqlite3-${requireFromApp('better-sqlite3/package.json').version}-napi9.node`)

export const missingCompilerParts = () =>
  ['g++', 'make', 'python3'].filter((name) => findProgram(name) === undefined)

export const isBindingCached = () => fs.existsSync(bindingFile())

/** The file of the compiled binding. It loads in Node 20 and newer and in the fallback runtime. */
export async function ensureNativeBinding() {
  const { file } = await step('native binding', {
    find: async () => (isBindingCached() ? { file: bindingFile() } : undefined),
    doing: 'compiling better-sqlite3 for the fallback runtime (about a minute, once)',
    make: async () => {
      await compile(bindingFile())
      return { file: bindingFile() }
    },
  })
  return file
}

async function compile(target) {
  const missing = missingCompilerParts()
  if (missing.length > 0) {
    throw new StepError(
      `${missing.join(', ')} not found, needed to compile`,
      "apt-get install -y g++ make python3 (as root), or your system's way, and start again",
    )
  }
  fs.mkdirSync(cacheDir, { recursive: true })
  const work = fs.mkdtempSync(path.join(cacheDir, 'sqlite-'))
  try {
    copySource(work)
    const nodeGyp = requireFromApp.resolve('node-gyp/bin/node-gyp.js')
    const args = [nodeGyp, 'rebuild', '--release', '--force_build=1', '-j', 'max']
    // as environment, since under `npm run` a nodedir of the person's npm configuration would win over an argument
    const env = {
      ...process.env,
      NODE_PATH: path.join(root, 'node_modules'),
      npm_config_nodedir: await nodeHeaders(),
    }
    const { code, output } = await run(process.execPath, args, { cwd: work, env })
    if (code !== 0)
      throw new StepError(
        `better-sqlite3 did not compile:\n${lastLines(withoutNoise(output))}`,
        'read the lines above; a C++20 compiler (g++ 10 or newer) is needed',
      )
    const built = path.join(work, 'better_sqlite3.node')
    fs.copyFileSync(path.join(work, 'build', 'Release', 'better_sqlite3.node'), built)
    fs.renameSync(built, target)
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

/** node-gyp prints its own state around the compiler's words. */
const withoutNoise = (output) =>
  output.replaceAll(/^gyp (info|ERR! (stack at|System|command|cwd|node|\$npm|not ok)).*\n/gm, '')

function copySource(work) {
  const source = path.dirname(requireFromApp.resolve('better-sqlite3/package.json'))
  fs.cpSync(source, work, { recursive: true, filter: (file) => !/[\\/](prebuilds|build)$/.test(file) })
  const gyp = path.join(work, 'binding.gyp')
  const text = fs.readFileSync(gyp, 'utf8')
  if (!text.includes(newCalls)) throw new Error(`binding.gyp of better-sqlite3 has no ${newCalls} to replace`)
  fs.writeFileSync(gyp, text.replaceAll(newCalls, newCallsAsExperimental))
}
