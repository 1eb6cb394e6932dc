import type Docker from 'dockerode'
import { type Result } from '@shared/result'
import type { ContainerError } from '@main/ports/container-runtime'
import type { DockerConnector } from './connection'
import { hasStatus } from './docker-errors'

/** A bridge of our own: containers on it reach out, not each other. */
export const agentNetworkName = 'alfred-agents'

const options = { 'com.docker.network.bridge.enable_icc': 'false' }

/**
 * The id of the network, made when missing.
 *
 * Containers join it by id: an engine that is asked twice at once can make two networks of one name, after which
 * the name is ambiguous to it for good.
 */
export async function ensureAgentNetwork(
  connector: DockerConnector,
  name: string = agentNetworkName,
): Promise<Result<string, ContainerError>> {
  return connector.call('making the network for agents', async ({ docker }) => {
    const found = await oldestNamed(docker, name)
    if (found !== null) return found
    const made = await createNetwork(docker, name)
    const first = await oldestNamed(docker, name)
    if (made !== null && first !== null && first !== made) await removeUnused(docker, made)
    return first ?? made ?? name
  })
}

/** Names are matched in part by the engine, and every start has to choose the same one. */
async function oldestNamed(docker: Docker, name: string): Promise<string | null> {
  const listed = await docker.listNetworks({ filters: { name: [name] } })
  const [oldest] = listed
    .filter((network) => network.Name === name)
    .sort((one, other) => compare(one.Created, other.Created) || compare(one.Id, other.Id))
  return oldest?.Id ?? null
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

async function createNetwork(docker: Docker, name: string): Promise<string | null> {
  try {
    const network = await docker.createNetwork({
      Name: name,
      Driver: 'bridge',
      CheckDuplicate: true,
      Options: options,
      Labels: { 'dev.alfred.network': 'agents' },
    })
    return network.id
  } catch (thrown) {
    // Another start made it meanwhile.
    if (hasStatus(thrown, 409)) return null
    throw thrown
  }
}

/** The one of two that nobody chose; it does no harm where it has to stay. */
async function removeUnused(docker: Docker, id: string): Promise<void> {
  await docker.getNetwork(id).remove().catch(() => undefined)
}
