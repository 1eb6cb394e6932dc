import { ok, type Result } from '@shared/result'
import type { ContainerError } from '@main/ports/container-runtime'
import type { DockerConnector } from './connection'
import { hasStatus } from './docker-errors'

/** A bridge of our own: containers on it reach out, not each other. */
export const agentNetworkName = 'alfred-agents'

const options = { 'com.docker.network.bridge.enable_icc': 'false' }

export async function ensureAgentNetwork(
  connector: DockerConnector,
): Promise<Result<string, ContainerError>> {
  const made = await connector.call('making the network for agents', async ({ docker }) => {
    const found = await docker.listNetworks({ filters: { name: [agentNetworkName] } })
    if (found.some((network) => network.Name === agentNetworkName)) return
    try {
      await docker.createNetwork({
        Name: agentNetworkName,
        Driver: 'bridge',
        CheckDuplicate: true,
        Options: options,
        Labels: { 'dev.alfred.network': 'agents' },
      })
    } catch (thrown) {
      // Another start made it meanwhile.
      if (!hasStatus(thrown, 409)) throw thrown
    }
  })
  return made.ok ? ok(agentNetworkName) : made
}
