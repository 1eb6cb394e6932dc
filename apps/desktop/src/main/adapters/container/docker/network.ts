import type Docker from 'dockerode'
import type { NetworkInspectInfo } from 'dockerode'
import type { Result } from '@shared/result'
import type { ContainerError } from '@main/ports/container-runtime'
import type { DockerConnector } from './connection'
import { hasStatus } from './docker-errors'

/** A bridge of our own: containers on it reach out, not each other. */
export const agentNetworkName = 'alfred-agents'

const separation = 'com.docker.network.bridge.enable_icc'
const label = { name: 'dev.alfred.network', value: 'agents' } as const

/**
 * Answers with the id of the agents' network, made when missing.
 *
 * An engine that is asked twice at once makes two networks of one name, and then starts no container on either of
 * them ("ambiguous"), by id neither. So it is asked once at a time, and what was made twice is made one again.
 * A network of that name on which containers reach each other is made anew where it is ours and nothing uses it, and
 * refused else.
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
  const kept = await keepOne(docker, await networksOf(docker, name))
  if (kept !== null) return kept
  await make(docker, name)
  const made = await keepOne(docker, await networksOf(docker, name))
  if (made === null) throw new Error(`the engine made no network ${name} that keeps containers apart`)
  return made
}

/** The oldest that keeps containers apart, without the others that are ours; null when none is left. */
async function keepOne(docker: Docker, found: readonly NetworkInspectInfo[]): Promise<string | null> {
  const canSeparate = found.every(isApart) || (await knowsSeparation(docker))
  const isGood = (network: NetworkInspectInfo): boolean =>
    isApart(network) || (isOurs(network) && !canSeparate)
  const kept = found.find(isGood) ?? null
  for (const network of found) {
    if (network === kept || (isOurs(network) && (await removeUnused(docker, network.Id)))) continue
    // Beside one that is good, the start that follows says that the name is ambiguous.
    if (kept === null) throw new Error(refusal(network))
  }
  return kept?.Id ?? null
}

const isApart = ({ Options: options }: NetworkInspectInfo): boolean => options?.[separation] === 'false'
const isOurs = ({ Labels: labels }: NetworkInspectInfo): boolean => labels?.[label.name] === label.value

/** Podman leaves the option out of what it makes: asking for it again would change nothing. */
async function knowsSeparation(docker: Docker): Promise<boolean> {
  const { Components: components } = await docker.version()
  return components?.some(({ Name: name }) => /podman/i.test(name)) !== true
}

const refusal = (network: NetworkInspectInfo): string =>
  `containers on the network ${network.Name} can reach each other (it lacks ${separation}=false), and ${
    isOurs(network) ? 'it is in use' : 'Alfred did not make it'
  }. Stop what uses it and remove it (docker network rm ${network.Name}): Alfred then makes its own.`

/** Oldest first, so that everybody keeps the same one; the engine matches names in part. */
async function networksOf(docker: Docker, name: string): Promise<readonly NetworkInspectInfo[]> {
  const listed = await docker.listNetworks({ filters: { name: [name] } })
  return listed
    .filter((network) => network.Name === name)
    .sort((one, other) => Date.parse(one.Created) - Date.parse(other.Created))
}

async function make(docker: Docker, name: string): Promise<void> {
  try {
    await docker.createNetwork({
      Name: name,
      Driver: 'bridge',
      CheckDuplicate: true,
      Options: { [separation]: 'false' },
      Labels: { [label.name]: label.value },
    })
  } catch (thrown) {
    // Another app made it meanwhile.
    if (!hasStatus(thrown, 409)) throw thrown
  }
}

/** Whether it is gone: the engine keeps one with containers on it. */
const removeUnused = (docker: Docker, id: string): Promise<boolean> =>
  docker
    .getNetwork(id)
    .remove()
    .then(
      () => true,
      (thrown: unknown) => hasStatus(thrown, 404),
    )
