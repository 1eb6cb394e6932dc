import { realpath, stat } from 'node:fs/promises'
import { isInside } from '@main/core/sandbox/container-paths'
import type { ContainerSpec } from '@main/ports/container-runtime'
import { hostEndpointFacts, socketPathOf, usualSockets } from './endpoint'

/*
 * No Docker socket inside: whoever reaches the engine is root on this computer. A read-only mount keeps nobody from
 * speaking to a socket.
 */

/** Why one of the mounts is refused; null: none is. `endpoint`: of the engine in use. */
export async function refusedMount(
  mounts: ContainerSpec['mounts'],
  endpoint: string,
  urls: readonly string[] = usualSockets(hostEndpointFacts(null)),
): Promise<string | null> {
  const sockets = await realPaths([endpoint, ...urls].flatMap((url) => socketPathOf(url) ?? []))
  for (const mount of mounts) {
    if (mount.kind !== 'bind') continue
    // Somewhere else for an engine on another computer: then there is nothing to look at.
    const [source] = await realPaths([mount.source])
    if (source === undefined) continue
    const socket = sockets.find((path) => isInside(path, source))
    if (socket !== undefined)
      return refusal(mount.source, `leads to the socket of a container engine, ${socket}`)
    if ((await stat(source)).isSocket()) return refusal(mount.source, 'is a socket')
  }
  return null
}

const refusal = (source: string, why: string): string =>
  `${source} ${why}, which an agent must not reach, so it is not mounted: name the login files alone (AGENT_CREDENTIAL_MOUNTS)`

/** Of what is there, once all links are followed. */
async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => null)))
  return found.filter((path) => path !== null)
}
