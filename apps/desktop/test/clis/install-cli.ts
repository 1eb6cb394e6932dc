import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cliPackages, packageReference } from '@main/core/agents/image-clis'
import type { ImageCli } from '@shared/model/words'

const run = promisify(execFile)

const cacheFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'alfred', 'clis')

/**
 * Folder on this computer that holds the CLI in this version, with its program below `bin`. Installed from the registry
 * of Node packages once, then found. Some CLIs write into their user's home while they are installed: that is a folder
 * beside it, never a person's own.
 */
export async function installedCli(cli: ImageCli, version: string): Promise<string> {
  const wanted = { ...cliPackages[cli], version }
  const folder = join(cacheFolder, `${cli}-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(cacheFolder, { recursive: true })
  const work = await mkdtemp(join(cacheFolder, 'install-'))
  try {
    const prefix = join(work, 'prefix')
    const home = join(work, 'home')
    await mkdir(home)
    // Some fetch their program in a script, which this project's own settings would keep from running.
    const options = [
      '--ignore-scripts=false',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
    ]
    await run('npm', ['install', '--global', '--prefix', prefix, ...options, packageReference(wanted)], {
      env: { ...process.env, HOME: home, npm_config_cache: join(work, 'npm') },
      maxBuffer: 10_000_000,
    })
    // Whoever a run's user is must be able to read and start it.
    await run('chmod', ['-R', 'a+rX', prefix])
    await rename(prefix, folder).catch((error: unknown) => {
      // another file of tests was as quick
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return folder
}
