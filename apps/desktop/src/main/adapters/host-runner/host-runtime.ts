import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import type { Clock } from '@main/ports/clock'
import type { ContainerError, ContainerRuntime, ContainerState } from '@main/ports/container-runtime'
import type { DataRemover } from '@main/ports/data-remover'
import type { Logger } from '@main/ports/logger'
import { runOnceOnHost } from './run-once-on-host'
import { createHostProcesses, type HostProcess } from './host-processes'

/*
 * The host runner behind the port of the container engine: the same entry, bundle and result contract, without walls.
 * A run is a process group of its own that survives the app; its end is a file beside it.
 */

export interface HostRuntimeOptions {
  readonly clock: Clock
  /** Records and empty homes of host runs lie here, in the data folder. */
  readonly folder: string
  /** Goes before PATH: launchers of the agents that ship with the app. */
  readonly toolsFolder: string
  readonly remover: Pick<DataRemover, 'setAside' | 'sweep'>
  readonly logger: Pick<Logger, 'warn'>
}

/** How often the end of a process is looked for. */
const lookEveryMs = 100

export function createHostRuntime(options: HostRuntimeOptions): ContainerRuntime {
  const { clock, folder, toolsFolder, logger } = options
  const processes = createHostProcesses(options)

  const inspect = async (name: string): Promise<Result<ContainerState, ContainerError>> => {
    const found = await processes.find(name)
    return found === null ? err(notFound(name)) : ok(toState(found))
  }

  return {
    info: () =>
      Promise.resolve(
        ok({
          endpoint: 'this computer',
          source: 'setting',
          version: process.version,
          apiVersion: '',
          architecture: process.arch,
          operatingSystem: process.platform,
          rootless: false,
          userRemapped: false,
          cpus: cpus().length,
          memoryBytes: totalmem(),
        }),
      ),
    async start(spec) {
      if (process.platform === 'win32')
        return err(hostError('unexpected', 'The host runner needs a POSIX shell.'))
      const present = await processes.find(spec.name)
      if (present !== null) return ok(toState(present))
      try {
        return ok(toState(await processes.start(spec, clock.now())))
      } catch (error) {
        return err(hostError('unexpected', `The host run could not be started: ${wordsOf(error)}`))
      }
    },
    create: () => noTerminal(),
    attach: () => noTerminal(),
    resize: () => noTerminal(),
    inspect,
    async wait(name, signal) {
      for (;;) {
        const state = await inspect(name)
        if (!state.ok || !state.value.running) return state
        if (signal.aborted) return err(hostError('aborted', 'The wait was ended.'))
        await clock.sleep(lookEveryMs, signal)
      }
    },
    async stop(name, graceMs) {
      const end = clock.monotonic() + graceMs
      processes.signal(name, 'SIGTERM')
      while (clock.monotonic() < end) {
        const state = await inspect(name)
        if (!state.ok || !state.value.running) return ok(undefined)
        await clock.sleep(lookEveryMs)
      }
      processes.signal(name, 'SIGKILL')
      return ok(undefined)
    },
    async remove(name) {
      try {
        if (!(await processes.remove(name)))
          logger.warn(
            'processes are left in the group of a host run that has ended; nothing proves that they are its own, so they are left alone: look for them and end them by hand',
            { run: name },
          )
        return ok(undefined)
      } catch (error) {
        return err(hostError('unexpected', `The host run could not be removed: ${wordsOf(error)}`))
      }
    },
    listByLabel: async (label, value) =>
      ok((await processes.list()).filter(({ labels }) => labels[label] === value).map(toState)),
    // There is no image to name: the computer is one.
    runOnce: (_image, argv, timeoutMs) =>
      runOnceOnHost({ argv, timeoutMs, folder: join(folder, 'homes'), toolsFolder }),
    findImage: () => Promise.resolve(ok(null)),
    pullImage: () => notHere(),
    buildImage: () => notHere(),
    importImage: () => notHere(),
    removeImage: () => notHere(),
    ensureAgentNetwork: () => Promise.resolve(ok('host')),
  }
}

const hostError = (type: ContainerError['type'], message: string): ContainerError => ({
  type,
  message,
  retryable: false,
})
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const notFound = (name: string): ContainerError => hostError('not_found', `There is no host run ${name}.`)
const noTerminal = () => Promise.resolve(err(hostError('unexpected', 'The host runner has no terminals.')))
const notHere = () => Promise.resolve(err(hostError('unexpected', 'The host runner has no images.')))

const toState = (found: HostProcess): ContainerState => ({
  id: found.name,
  name: found.name,
  running: found.isRunning,
  paused: false,
  exitCode: found.exitCode,
  outOfMemory: false,
  memoryLimitHit: false,
  imageDigest: null,
  labels: found.labels,
  startedAt: found.startedAt,
  endedAt: null,
})
