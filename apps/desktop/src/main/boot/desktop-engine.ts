import { app } from 'electron'
import type { RestoreReport } from '@shared/contract/restore'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { ok, type Result } from '@shared/result'
import { findNativeBinding } from '../adapters/db/native-binding'
import type { EngineCalls } from '../ipc/electron-transport'
import type { Notifier } from '../ports/notifications'
import { createEngine } from './compose'
import { findKeyring } from './desktop-keyring'
import { restoreData } from './restore-data'

/** The engine as the shell sees it. */
export interface DesktopEngine {
  readonly calls: EngineCalls
  /** The computer slept: what runs is looked at again. */
  wake(): void
  /** Lets containers run on or stops them, closes the database and frees the data folder. */
  close(containers: 'keep' | 'stop'): Promise<void>
}

export interface DesktopEngineOptions {
  readonly home: string
  readonly resources: string
  readonly notifier: Notifier
  /** Done once the window shows its first picture, see EngineOptions. */
  readonly workAfter: Promise<unknown>
}

/** Starts the engine in the window's own process; a headless owner is asked to hand over first. */
export async function startDesktopEngine(
  options: DesktopEngineOptions,
): Promise<Result<DesktopEngine, StartFailure>> {
  const keyring = findKeyring(options.home)
  const engine = await createEngine({
    dataFolder: options.home,
    kind: 'desktop',
    resourcesFolder: options.resources,
    version: app.getVersion(),
    notifier: options.notifier,
    work: 'works',
    workAfter: options.workAfter,
    command: 'Alfred',
    ...(keyring === null ? {} : { keyring }),
    nativeBinding: findNativeBinding(process.env, process.resourcesPath),
    allowsDemonstration: process.env['ALFRED_ALLOW_DEMONSTRATION'] === '1',
    checkOutput: process.env['ALFRED_CHECK_ANSWERS'] === '1',
  })
  if (!engine.ok) return engine
  const running = engine.value
  return ok({
    calls: running.dispatch,
    wake: () => running.wake(),
    close: (containers) => running.stop(containers),
  })
}

/** More than this many run folders that cannot be read are not shown one by one. */
const longestList = 100

/** Restores a damaged database, see `restoreData`. */
export async function restoreDesktopData(home: string): Promise<Result<RestoreReport | null, StartFailure>> {
  const restored = await restoreData({
    dataFolder: home,
    kind: 'desktop',
    version: app.getVersion(),
    command: 'Alfred',
    nativeBinding: findNativeBinding(process.env, process.resourcesPath),
  })
  if (!restored.ok || restored.value === null) return restored
  return ok({ ...restored.value, refused: restored.value.refused.slice(0, longestList) })
}
