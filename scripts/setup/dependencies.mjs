// npm ci, when the lock file is not the one that node_modules was made from.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { lastNpmLines, run } from './commands.mjs'
import { root } from './places.mjs'
import { step, StepError } from './steps.mjs'

const stampFile = path.join(root, 'node_modules', '.alfred-lock')

const lockHash = () => {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'package.json', 'apps/desktop/package.json']) {
    hash.update(fs.readFileSync(path.join(root, file)))
  }
  return hash.digest('hex')
}

const readStamp = () => (fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8') : undefined)

export function ensureDependencies() {
  return step('dependencies', {
    find: async () => (readStamp() === lockHash() ? {} : undefined),
    doing: 'npm ci (about 15 s)',
    make: async () => {
      await installInto(root)
      fs.writeFileSync(stampFile, lockHash())
      return {}
    },
  })
}

/** A folder with a lock file gets what that names. */
export async function installInto(folder) {
  // under `npm run -s` this npm would be silent too, and nobody would learn why it failed
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']
  const { code, output } = await run('npm', words, { cwd: folder })
  if (code === null)
    throw new StepError('npm was not found', 'install npm (it comes with Node) and start again')
  if (code !== 0) {
    throw new StepError(
      `npm ci failed:\n${lastNpmLines(output)}`,
      'read the lines above; most often the network or the npm registry is not reachable. Where they name a folder in node_modules, remove node_modules and start again',
    )
  }
}
