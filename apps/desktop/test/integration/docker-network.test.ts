import { randomUUID } from 'node:crypto'
import Docker from 'dockerode'
import { afterEach, expect, it } from 'vitest'
import { createDockerConnector } from '@main/adapters/container/docker/connection'
import { ensureAgentNetwork } from '@main/adapters/container/docker/network'
import { value } from './support/engine-bench'

/*
 * The first two runs on a fresh engine start together. An engine asked at once for one name may make it twice, and
 * then answers every use of the name with "ambiguous".
 */

const docker = new Docker()
const name = `alfred-agents-${randomUUID().slice(0, 8)}`

afterEach(async () => {
  for (const id of await idsNamed()) await docker.getNetwork(id).remove()
})

async function idsNamed(): Promise<string[]> {
  const listed = await docker.listNetworks({ filters: { name: [name] } })
  return listed.map((network) => network.Id)
}

const ensure = () => ensureAgentNetwork(createDockerConnector(() => null), name)

it('gives starts that come at once the same network', async () => {
  const asked = await Promise.all(Array.from({ length: 8 }, ensure))
  const chosen = new Set(asked.map(value))
  expect(chosen.size).toBe(1)
  expect(await idsNamed()).toContain([...chosen][0])
})

it('goes on with one of two networks that bear the name already', async () => {
  const make = () => docker.createNetwork({ Name: name, Driver: 'bridge', CheckDuplicate: false })
  await make()
  await make()
  expect(await idsNamed()).toHaveLength(2)

  const chosen = value(await ensure())

  expect(value(await ensure())).toBe(chosen)
  expect(await docker.getNetwork(chosen).inspect()).toMatchObject({ Name: name })
})
