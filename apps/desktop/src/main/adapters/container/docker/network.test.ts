import type Docker from 'dockerode'
import { expect, it } from 'vitest'
import { ok } from '@shared/result'
import type { DockerConnector } from './connection'
import { createAgentNetwork } from './network'

/** Podman, as far as networks go: it makes one without the option that it does not know. */
function podman(networks: { Id: string; Name: string; Labels: object; Created: string }[]) {
  const docker = {
    version: async () => ({ Components: [{ Name: 'Podman Engine' }, { Name: 'Conmon' }] }),
    listNetworks: async () => networks.map((network) => ({ ...network, Options: {} })),
    createNetwork: async ({ Name, Labels }: { Name: string; Labels: object }) => {
      networks.push({ Id: `made-${networks.length}`, Name, Labels, Created: '2026-01-01T00:00:00Z' })
    },
    getNetwork: (id: string) => ({
      remove: async () => {
        networks.splice(
          networks.findIndex(({ Id }) => Id === id),
          1,
        )
      },
    }),
  }
  const connector = {
    call: async (_what: string, run: (connection: { docker: Docker }) => Promise<unknown>) =>
      ok(await run({ docker: docker as unknown as Docker })),
  }
  return createAgentNetwork(connector as unknown as DockerConnector)
}

it('is made once and then kept on an engine that cannot keep containers apart', async () => {
  const networks: Parameters<typeof podman>[0] = []
  expect(await podman(networks)()).toEqual(ok('made-0'))
  expect(await podman(networks)()).toEqual(ok('made-0'))
})

it('is not taken there either where somebody else made it', async () => {
  const networks = [{ Id: 'theirs', Name: 'alfred-agents', Labels: {}, Created: '2026-01-01T00:00:00Z' }]
  await expect(podman(networks)()).rejects.toThrow('Alfred did not make it')
  expect(networks).toHaveLength(1)
})
