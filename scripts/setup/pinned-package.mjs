// Fetches one exact npm package and accepts it only when its bytes have the pinned hash.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { lastLines, lastNpmLines, run } from './commands.mjs'
import { StepError } from './steps.mjs'

/** Unpacks the package into `target`, which appears whole or not at all. */
export async function fetchPinned({ name, version, integrity }, target) {
  fs.mkdirSync(path.dirname(target), { recursive: true })
  const work = fs.mkdtempSync(path.join(path.dirname(target), 'fetch-'))
  try {
    const tarball = await download(`${name}@${version}`, work)
    await checkIntegrity(tarball, integrity, `${name}@${version}`)
    const unpacked = path.join(work, 'unpacked')
    fs.mkdirSync(unpacked)
    const { code, output } = await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked])
    if (code !== 0)
      throw new StepError(
        `tar could not unpack ${name}: ${lastLines(output, 2)}`,
        'look for free disk space and start again',
      )
    replaceFolder(unpacked, target)
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

/** Moves a finished folder into place. When another start was faster, its result is as good. */
export function replaceFolder(from, to) {
  fs.rmSync(to, { recursive: true, force: true })
  try {
    fs.renameSync(from, to)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
  }
}

async function download(spec, folder) {
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
  const { code, output } = await run(
    'npm',
    ['pack', spec, '--loglevel', 'error', '--pack-destination', folder],
    {
      cwd: folder,
    },
  )
  const tarball = fs.readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (code !== 0 || tarball === undefined) {
    throw new StepError(
      `npm could not fetch ${spec}:\n${lastNpmLines(output, 6)}`,
      'check the network and the npm registry (npm ping), then start again',
    )
  }
  return path.join(folder, tarball)
}

/** Throws a StepError when the bytes of a file are not those of the `sha512-…` that was written down. */
export async function checkIntegrity(file, integrity, spec) {
  const [algorithm, expected] = [
    integrity.slice(0, integrity.indexOf('-')),
    integrity.slice(integrity.indexOf('-') + 1),
  ]
  const hash = createHash(algorithm)
  await pipeline(fs.createReadStream(file), hash)
  if (hash.digest('base64') !== expected) {
    throw new StepError(
      `${spec} is not the package that was pinned: its ${algorithm} hash differs`,
      'do not use it; check which registry npm is set to (npm config get registry)',
    )
  }
}
