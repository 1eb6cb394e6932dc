// Builds the app when its sources are not the ones that the last build was made from.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { lastLines, run } from './commands.mjs'
import { replaceFolder } from './pinned-package.mjs'
import { appDir, outDir, requireFromApp, root } from './places.mjs'
import { step, StepError } from './steps.mjs'

const stampFile = path.join(outDir, '.sources')

const inputs = ['src', 'electron.vite.config.ts', 'package.json', 'tsconfig.base.json']

export function ensureBuild() {
  return step('build', {
    find: async () =>
      fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === sourcesHash() ? {} : undefined,
    doing: 'building the app',
    make: async () => {
      const hash = sourcesHash()
      const fresh = fs.mkdtempSync(path.join(appDir, 'out.new-'))
      try {
        await bundleInto(fresh)
        fs.writeFileSync(path.join(fresh, path.basename(stampFile)), hash)
        replaceFolder(fresh, outDir)
      } finally {
        fs.rmSync(fresh, { recursive: true, force: true })
      }
      return {}
    },
  })
}

async function bundleInto(folder) {
  const args = [bundler(), 'build', '--outDir', folder]
  const { code, output } = await run(process.execPath, args, { cwd: appDir, env: bundlerEnv() })
  if (code !== 0) {
    throw new StepError(
      `the build failed:\n${lastLines(output, 30)}`,
      'mend the source named above and start again',
    )
  }
}

/** For the dev server, which writes its own state of the sources into the same folder. */
export const forgetBuild = () => fs.rmSync(stampFile, { force: true })

export const bundler = () =>
  path.join(path.dirname(requireFromApp.resolve('electron-vite/package.json')), 'bin', 'electron-vite.js')

/** The bundler asks Electron for its version and path; it is told, so that a build needs no runtime. */
export function bundlerEnv(electron) {
  const major = Number.parseInt(electron?.version ?? requireFromApp('electron/package.json').version, 10)
  const env = { ...process.env, ELECTRON_MAJOR_VER: String(major) }
  delete env.ELECTRON_RUN_AS_NODE
  if (electron) env.ELECTRON_EXEC_PATH = electron.executable
  return env
}

function sourcesHash() {
  const hash = createHash('sha256')
  for (const file of [
    ...inputs.flatMap((name) => filesBelow(path.join(appDir, name))),
    path.join(root, 'package-lock.json'),
  ]) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesBelow(location) {
  if (!fs.existsSync(location)) return []
  if (!fs.statSync(location).isDirectory()) return [location]
  return fs
    .readdirSync(location, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}
