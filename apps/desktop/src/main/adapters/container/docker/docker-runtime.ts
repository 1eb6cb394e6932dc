import { ok } from '@shared/result'
import type { Clock } from '@main/ports/clock'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import { askLimitMs, createDockerConnector } from './connection'
import { createContainers } from './containers'
import { createImages } from './images'
import { createAgentNetwork } from './network'
import { createTerminals } from './terminals'
import { runOnce } from './run-once'

export interface DockerRuntimeOptions {
  /** The setting DOCKER_ENDPOINT, read again whenever the engine is looked for. */
  readonly endpointSetting: () => string | null
  readonly clock: Clock
  /** Labels of the short containers that the runtime makes itself. */
  readonly labels: Readonly<Record<string, string>>
  /** The network that agents join; the app's own when left out. */
  readonly networkName?: string
  /** How long an engine may be away during a wait until the wait gives up. */
  readonly patienceMs?: number
}

/** The container engine over its API: Docker 19.03 and later, Podman's compatible service. */
export function createDockerRuntime(options: DockerRuntimeOptions): ContainerRuntime {
  const connector = createDockerConnector(options.endpointSetting)
  const ensureNetwork = createAgentNetwork(connector, options.networkName)
  const containers = createContainers({
    connector,
    clock: options.clock,
    ensureNetwork,
    patienceMs: options.patienceMs ?? 60_000,
  })
  return {
    ...containers,
    ...createTerminals(connector),
    ...createImages(connector),
    info: async () => {
      // Asked anew, so that an engine that went away is noticed.
      const alive = await connector.call(
        'asking the engine',
        ({ docker, info }) => docker.ping().then(() => info),
        askLimitMs,
      )
      return alive.ok ? ok(alive.value) : alive
    },
    runOnce: (image, argv, timeoutMs) =>
      runOnce(
        { connector, labels: options.labels, wait: containers.wait, remove: containers.remove },
        image,
        argv,
        timeoutMs,
      ),
    ensureAgentNetwork: ensureNetwork,
  }
}
