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
      const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root })
      if (code === null)
        throw new StepError('npm was not found', 'install npm (it comes with Node) and start again')
      if (code !== 0) {
        throw new StepError(
          `npm ci failed:\n${lastNpmLines(output)}`,
          'read the lines above; most often the network or the npm registry is not reachable',
        )
      }
      fs.writeFileSync(stampFile, lockHash())
      return {}
    },
  })
}
