import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { bundleScript, type BundledScript } from '../../fakes/bundle-script'
import { resourcesFolder } from './agent-container'
import type { Seam } from './act-watcher'
import { connectToChild, type AlfredProcess } from './alfred-process'
import { removeFolder, testDocker, value } from './engine-bench'
import { containersOf } from './ledger'

/*
 * An engine as a process of its own that ends itself at a seam; see act-watcher.
 */

export const buildSeamEngine = (): Promise<BundledScript> =>
  bundleScript(fileURLToPath(new URL('../../fixtures/scripts/engine-with-seams.ts', import.meta.url)))

export interface SeamEngineOptions {
  readonly seam?: Seam
  /** Milliseconds that the demo agent takes for a step. */
  readonly pace?: number
  /** What the scripted agent does: prints a flood, or cannot be ended but by a KILL. */
  readonly fake?: 'flood' | 'deaf'
  /** SIGKILL after this time, ready or not. */
  readonly killAfterMs?: number
  /** Gets each act as it happens. */
  readonly onAct?: (act: string) => void
}

export interface SeamEngine extends AlfredProcess {
  /** SIGTERM: it leaves everything as it is, and ends. */
  leave(): Promise<void>
  /** Settles with the signal that ended it, or null. */
  readonly ended: Promise<NodeJS.Signals | null>
}

/** null: it ended before anybody could talk to it, as a seam in its start makes it do. */
export async function startSeamEngine(
  script: BundledScript,
  dataFolder: string,
  options: SeamEngineOptions = {},
): Promise<SeamEngine | null> {
  const { killAfterMs } = options
  const child = spawnSeamEngine(script, dataFolder, options)
  if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  const connected = await connectToChild(child, dataFolder)
  if (connected === null) return null
  return {
    ...connected,
    ended,
    async leave() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function spawnSeamEngine(
  script: BundledScript,
  dataFolder: string,
  { seam, pace = 0, fake = 'flood', onAct }: SeamEngineOptions,
): ChildProcess {
  const argv = [script.file, dataFolder, resourcesFolder, String(pace)]
  const child = spawn(process.execPath, seam === undefined ? argv : [...argv, JSON.stringify(seam)], {
    env: { ...process.env, ALFRED_TEST_ACTS: onAct === undefined ? '0' : '1', ALFRED_TEST_FAKE: fake },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('no standard output')
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => onAct?.(line))
  return child
}

/** Whatever a test left: its engine, that engine's containers, the data. */
export async function discard(engine: SeamEngine | null, folder: string): Promise<void> {
  await engine?.kill()
  for (const name of await containersOf(folder)) value(await testDocker().remove(name))
  await removeFolder(folder)
}

export interface SeamBench {
  /** The data of this test. */
  readonly folder: string
  /** The next engine on that data; null where it ended before anybody could talk to it. */
  tryToStart(options?: SeamEngineOptions): Promise<SeamEngine | null>
  /** As `tryToStart`, for one that must get that far. */
  start(options?: SeamEngineOptions): Promise<SeamEngine>
}

/** For all tests of a file: the script is built once, each test has data of its own, and what it left is removed. */
export function useSeamEngines(name: string): SeamBench {
  let script: BundledScript
  let folder = ''
  let engine: SeamEngine | null = null
  beforeAll(async () => {
    script = await buildSeamEngine()
  })
  afterAll(() => script.remove())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), `alfred-${name}-`))
    engine = null
  })
  afterEach(() => discard(engine, folder))

  const bench: SeamBench = {
    get folder() {
      return folder
    },
    async tryToStart(options) {
      engine = await startSeamEngine(script, folder, options)
      return engine
    },
    async start(options) {
      const started = await bench.tryToStart(options)
      if (started === null) throw new Error('the engine did not start')
      return started
    },
  }
  return bench
}
