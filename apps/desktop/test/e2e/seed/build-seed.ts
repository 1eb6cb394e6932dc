import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import type { SeedSize } from '../../fakes/seed-store'

import { appFolder } from '../launch'

export interface SeededHome {
  readonly home: string
  readonly mailboxIds: readonly number[]
  readonly lastRunId: number
}

export interface HomeSize extends SeedSize {
  /** Events of a kilobyte that the last run has packed, as after a burst. */
  readonly burst?: number
}

/** Makes a data folder with a history of that size; takes some seconds for 100,000 runs. */
export async function seedHome(home: string, size: HomeSize): Promise<SeededHome> {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  // beside the sources, so that the bundle finds the packages that it leaves outside
  const outDir = join(appFolder, 'out', 'e2e-seed')
  await bundle(outDir)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(outDir, 'seed-home.js'), home, JSON.stringify(size)],
    { maxBuffer: 50_000_000 },
  )
  const { mailboxIds, lastRunId } = JSON.parse(stdout) as Omit<SeededHome, 'home'>
  return { home, mailboxIds, lastRunId }
}

function bundle(outDir: string): Promise<unknown> {
  const source = (name: string): string => join(appFolder, 'src', name)
  return build({
    configFile: false,
    root: appFolder,
    logLevel: 'silent',
    resolve: { alias: { '@shared': source('shared'), '@main': source('main') } },
    build: {
      ssr: join(appFolder, 'test/e2e/seed/seed-home.ts'),
      outDir,
      emptyOutDir: true,
      target: 'node22',
      rolldownOptions: { output: { entryFileNames: '[name].js' } },
    },
    ssr: { noExternal: true, external: ['better-sqlite3'] },
  })
}
