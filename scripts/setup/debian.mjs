// Installs Debian packages where that is allowed (root on Debian or Ubuntu); elsewhere names the command.
import fs from 'node:fs'
import { lastLines, run } from './commands.mjs'
import { isRoot } from './places.mjs'
import { StepError } from './steps.mjs'

export const isDebian = process.platform === 'linux' && fs.existsSync('/usr/bin/apt-get')

export const canInstall = isDebian && isRoot

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }

let listsUpdated
let queue = Promise.resolve()

/** Installs the packages, one call after the other since apt allows only one. */
export function install(packages) {
  const installed = queue.then(() => installNow(packages))
  queue = installed.catch(() => {})
  return installed
}

/** The one command that a person types to get the same. */
export const installCommand = (packages) =>
  isDebian
    ? `sudo apt-get update && sudo apt-get install -y ${packages.join(' ')}`
    : `install with your system's package manager what Debian calls: ${packages.join(' ')}`

async function installNow(packages) {
  if (!canInstall) throw new StepError(`missing: ${packages.join(', ')}`, installCommand(packages))
  listsUpdated ??= run('apt-get', ['update', '-q'], { env })
  await listsUpdated // an outdated list may still do; the installation tells
  const names = await Promise.all(packages.map(currentName))
  const { code, output } = await run(
    'apt-get',
    ['install', '-y', '-q', '--no-install-recommends', ...names],
    { env },
  )
  if (code !== 0)
    throw new StepError(
      `apt-get could not install ${names.join(' ')}:\n${lastLines(output, 6)}`,
      installCommand(names),
    )
}

/** Newer releases renamed libraries with a 64-bit time to `…t64`. */
async function currentName(name) {
  if (!name.startsWith('lib')) return name
  const { code, stdout } = await run('apt-cache', ['show', `${name}t64`])
  return code === 0 && stdout.includes('Package:') ? `${name}t64` : name
}
