import type Docker from 'dockerode'
import type { Result } from '@shared/result'
import type { ContainerError } from '@main/ports/container-runtime'
import type { DockerConnector } from './connection'
import { hasStatus } from './docker-errors'

/** A bridge of our own: containers on it reach out, not each other. */
export const agentNetworkName = 'alfred-agents'

const options = { 'com.docker.network.bridge.enable_icc': 'false' }

/**
 * Answers with the id of the agents' network, made when missing.
 *
 * An engine that is asked twice at once makes two networks of one name, and then starts no container on either of
 * them ("ambiguous"), by id neither. So it is asked once at a time, and what others made twice is made one again.
 */
export function createAgentNetwork(
  connector: DockerConnector,
  name: string = agentNetworkName,
): () => Promise<Result<string, ContainerError>> {
  let asked: Promise<Result<string, ContainerError>> | null = null
  return () => {
    asked ??= connector
      .call('making the network for agents', ({ docker }) => findOrMake(docker, name))
      .finally(() => {
        asked = null
      })
    return asked
  }
}

async function findOrMake(docker: Docker, name: string): Promise<string> {
  const found = await idsOf(docker, name)
  const [oldest, ...others] = found.length === 0 ? await make(docker, name) : found
  for (const id of others) await removeUnused(docker, id)
  return oldest ?? name
}

/** Oldest first, so that everybody keeps the same one; the engine matches names in part. */
async function idsOf(docker: Docker, name: string): Promise<readonly string[]> {
  const listed = await docker.listNetworks({ filters: { name: [name] } })
  return listed
    .filter((network) => network.Name === name)
    .sort((one, other) => Date.parse(one.Created) - Date.parse(other.Created))
    .map((network) => network.Id)
}

async function make(docker: Docker, name: string): Promise<readonly string[]> {
  try {
    await docker.createNetwork({
      Name: name,
      Driver: 'bridge',
      CheckDuplicate: true,
      Options: options,
      Labels: { 'dev.alfred.network': 'agents' },
    })
  } catch (thrown) {
    // Another app made it meanwhile.
    if (!hasStatus(thrown, 409)) throw thrown
  }
  return idsOf(docker, name)
}

/** One with containers on it stays; the start that follows then says that the name is ambiguous. */
async function removeUnused(docker: Docker, id: string): Promise<void> {
  await docker
    .getNetwork(id)
    .remove()
    .catch(() => undefined)
}
