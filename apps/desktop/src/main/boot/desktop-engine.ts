import { app } from 'electron'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RestoreReport } from '@shared/contract/restore'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { ok, type Result } from '@shared/result'
import { findNativeBinding } from '../adapters/db/native-binding'
import type { EngineCalls } from '../ipc/electron-transport'
import type { Notifier } from '../ports/notifications'
import { findKeyring } from './desktop-keyring'
import type { ThreadPlace, ThreadTask } from './engine-thread/messages'
import { createEngineThread, type EngineThread, type WindowEndOptions } from './engine-thread/window-end'

/** The engine as the shell sees it. */
export interface DesktopEngine {
  readonly calls: EngineCalls
  /** The computer slept: what runs is looked at again. */
  wake(): void
  /** Lets containers run on or stops them, closes the database and frees the data folder. */
  close(containers: 'keep' | 'stop'): Promise<void>
}

export interface DesktopEngineOptions {
  /** From `readEngine`, for this start alone. */
  readonly reading: EngineWorker
  readonly home: string
  readonly resources: string
  readonly notifier: Notifier
  /** Done once the window shows its first picture, see EngineOptions. */
  readonly workAfter: Promise<unknown>
  /** A defect ended the engine after it had started. Its containers go on and are found again by the next one. */
  readonly onLost: (message: string) => void
}

/** A thread that reads the engine's code, and then waits for what it is to do. */
export interface EngineWorker {
  readonly worker: Worker
  /** Why it is gone, once it is. */
  readonly ended: Promise<string>
}

/** May be called before the app is ready. */
export function readEngine(home: string): EngineWorker {
  const place: ThreadPlace = { home }
  const worker = new Worker(join(import.meta.dirname, 'engine-thread.cjs'), { workerData: place })
  let why: string | null = null
  worker.on('error', (defect: unknown) => {
    why = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect)
  })
  const ended = new Promise<string>((resolve) => {
    worker.on('exit', (code) => resolve(why ?? `The engine's thread ended with code ${code}.`))
  })
  return { worker, ended }
}

/** Starts the engine in a thread of its own; a headless owner is asked to hand over first. */
export async function startDesktopEngine(
  options: DesktopEngineOptions,
): Promise<Result<DesktopEngine, StartFailure>> {
  const { reading, home, resources, notifier, workAfter, onLost } = options
  const keyring = findKeyring(home)
  const { thread, end } = beginTask(
    reading,
    { ...taskIn(home), task: 'engine', resources, hasKeyring: keyring !== null },
    { notifier, keyring },
    onLost,
  )
  const started = await thread.started
  if (!started.ok) {
    await end()
    return started
  }
  void workAfter.then(() => thread.beginWork())
  return ok({
    calls: thread.calls,
    wake: () => thread.wake(),
    async close(containers) {
      await thread.close(containers)
      await end()
    },
  })
}

/** Restores a damaged database, see `restoreData`. */
export async function restoreDesktopData(home: string): Promise<Result<RestoreReport | null, StartFailure>> {
  const task: ThreadTask = { ...taskIn(home), task: 'restore' }
  const { thread, end } = beginTask(readEngine(home), task, silent, () => undefined)
  const restored = await thread.restored
  await end()
  return restored
}

const silent: WindowEndOptions = { notifier: { show: () => undefined }, keyring: null }

const taskIn = (home: string): Omit<ThreadTask, 'task'> => ({
  home,
  resources: '',
  version: app.getVersion(),
  nativeBinding: findNativeBinding(process.env, process.resourcesPath),
  hasKeyring: false,
  allowsDemonstration: process.env['ALFRED_ALLOW_DEMONSTRATION'] === '1',
  checkOutput: process.env['ALFRED_CHECK_ANSWERS'] === '1',
})

interface StartedThread {
  readonly thread: EngineThread
  /** Ends the thread, which is no loss any more. */
  readonly end: () => Promise<unknown>
}

function beginTask(
  { worker, ended }: EngineWorker,
  task: ThreadTask,
  options: WindowEndOptions,
  onLost: (message: string) => void,
): StartedThread {
  const thread = createEngineThread(worker, options)
  let isEnding = false
  let hasStarted = false
  void thread.started.then((started) => (hasStarted = started.ok))
  void ended.then((message) => {
    thread.lose(message)
    if (hasStarted && !isEnding) onLost(message)
  })
  worker.postMessage(task)
  const end = (): Promise<unknown> => {
    isEnding = true
    return worker.terminate()
  }
  return { thread, end }
}
