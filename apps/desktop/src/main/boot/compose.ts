import { stackOf } from '@shared/defect'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { err, ok, type Result } from '@shared/result'
import { serveSocket, type SocketServer } from '../adapters/ownership/serve-socket'
import { ensureSocketFolder, socketPath, systemSocketPlaces } from '../adapters/ownership/socket-path'
import type { Dispatch } from '../ipc/dispatch'
import { refuseSecrets } from '../ipc/refuse-secrets'
import { createBackground } from './background'
import { composeAdapters } from './compose-adapters'
import { composeDispatch } from './compose-dispatch'
import { composeServices } from './compose-services'
import type { EngineOptions } from './engine-options'
import { createEngineWork, type EngineWork } from './engine-work'
import { openData, type OwnedData } from './open-data'

/** The engine, with or without a window. It imports nothing of Electron. */
export interface Engine {
  readonly dispatch: Dispatch
  /** The computer slept, or Docker came back: what runs is looked at again. */
  wake(): void
  /**
   * Closes everything and frees the data folder; live runs are left to their containers, or stopped first. What is
   * due to the forges is sent before, for as long as `sendUntil` has not aborted; without it, by the next engine.
   */
  stop(containers: 'keep' | 'stop', sendUntil?: AbortSignal): Promise<void>
}

/** An engine in this process. */
export interface OwnEngine extends Engine {
  /** Something failed that nobody waited for: the last place where it can be told. */
  noteDefect(defect: unknown): void
}

/**
 * Opens the data and starts the engine: lock, database, what ran before, services, socket. Error: why there can be
 * no engine, for the window and for `alfred` to explain.
 */
export async function createEngine(options: EngineOptions): Promise<Result<OwnEngine, StartFailure>> {
  const opened = await openData(options)
  if (!opened.ok) return opened
  const data = opened.value
  try {
    return await start(options, data)
  } catch (defect) {
    data.close()
    data.ownership.release()
    return err({ type: 'unexpected', message: stackOf(defect) })
  }
}

async function start(options: EngineOptions, data: OwnedData): Promise<Result<OwnEngine, StartFailure>> {
  const parts = await compose(options, data)
  parts.work.start()
  // An engine that only answers one command is nobody's owner to talk to: who comes meanwhile waits until it is gone.
  const socket = options.work === 'works' ? await serve(options, data, parts) : ok(null)
  if (!socket.ok) {
    await parts.work.close('keep')
    data.close()
    data.ownership.release()
    return socket
  }
  let isStopped = false
  const stop: Engine['stop'] = async (containers, sendUntil) => {
    if (isStopped) return
    isStopped = true
    try {
      await parts.work.close(containers, sendUntil)
      await socket.value?.close()
    } finally {
      data.close()
      data.ownership.release()
    }
  }
  return ok({
    dispatch: parts.dispatch,
    wake: () => parts.work.wake(),
    noteDefect: (defect) => data.logger.error(`nobody waited for what failed: ${stackOf(defect)}`),
    stop,
  })
}

/** What an engine is, before anybody can reach it. */
interface Composition {
  readonly dispatch: Dispatch
  readonly work: EngineWork
}

async function compose(options: EngineOptions, data: OwnedData): Promise<Composition> {
  const background = createBackground(data.logger)
  const outside = await composeAdapters(options, data)
  const services = await composeServices(options, data, outside, background)
  const dispatch = composeDispatch(options, data, outside, services, background)
  return {
    // Who asked may be gone; what was begun for them is over before the database is closed.
    dispatch: { ...dispatch, invoke: (channel, input) => background.keep(dispatch.invoke(channel, input)) },
    work: createEngineWork(options, data, outside, services, background),
  }
}

async function serve(
  options: EngineOptions,
  data: OwnedData,
  parts: Composition,
): Promise<Result<SocketServer, StartFailure>> {
  const places = systemSocketPlaces()
  const path = socketPath(options.dataFolder, places)
  const folder = ensureSocketFolder(path, options.dataFolder, places.userId)
  if (!folder.ok) return err({ type: 'not_writable', message: folder.error.message })
  const handOver =
    options.kind === 'headless'
      ? {
          onHandOver: async () => {
            await parts.work.close('keep')
            data.close()
          },
          afterHandOver: () => {
            data.ownership.release()
            options.onHandedOver?.()
          },
        }
      : {}
  const served = await serveSocket(path, refuseSecrets(parts.dispatch), handOver)
  return served.ok ? served : err({ type: 'not_writable', message: served.error.message })
}
