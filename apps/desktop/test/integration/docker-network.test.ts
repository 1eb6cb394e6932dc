import { randomUUID } from 'node:crypto'
import Docker from 'dockerode'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { createDockerRuntime } from '@main/adapters/container/docker/docker-runtime'
import { createSystemClock } from '@main/adapters/system/system-clock'
import type { ContainerRuntime, ContainerSpec } from '@main/ports/container-runtime'
import { agentImageTag, testLabel, testRuntime } from './support/agent-container'
import { value } from './support/engine-bench'

/*
 * The first two runs on a fresh engine start together. An engine that is asked at once for one name makes it twice,
 * and then starts nothing on either.
 */

const docker = new Docker()
let image: string
const networkName = `alfred-agents-${randomUUID().slice(0, 8)}`
let runtime: ContainerRuntime

beforeAll(async () => {
  image = await agentImageTag(testRuntime())
  runtime = createDockerRuntime({
    endpointSetting: () => null,
    clock: createSystemClock(),
    labels: testLabel,
    networkName,
  })
})
afterEach(async () => {
  for (const id of await idsOfNetwork()) await docker.getNetwork(id).remove()
})

async function idsOfNetwork(): Promise<string[]> {
  const listed = await docker.listNetworks({ filters: { name: [networkName] } })
  return listed.map((network) => network.Id)
}

const spec = (): ContainerSpec => ({
  name: `alfred-test-${randomUUID()}`,
  image,
  argv: ['true'],
  environment: {},
  workingDirectory: '/',
  user: { uid: 1000, gid: 1000 },
  labels: testLabel,
  mounts: [],
  network: 'bridge',
  limits: { memoryBytes: 64 * 1024 * 1024, cpus: 1, pids: 32 },
})

async function endOf(started: ContainerSpec): Promise<number | null> {
  const container = value(await runtime.start(started))
  const ended = value(await runtime.wait(container.id, new AbortController().signal))
  value(await runtime.remove(container.id))
  return ended.exitCode
}

it('starts two containers at once on an engine that has no network for them yet', async () => {
  expect(await Promise.all([spec(), spec()].map(endOf))).toEqual([0, 0])
  expect(await idsOfNetwork()).toHaveLength(1)
})

it('starts containers on an engine that made the network twice', async () => {
  const make = () => docker.createNetwork({ Name: networkName, Driver: 'bridge', CheckDuplicate: false })
  await make()
  await make()
  expect(await idsOfNetwork()).toHaveLength(2)

  expect(await endOf(spec())).toBe(0)

  expect(await idsOfNetwork()).toHaveLength(1)
})
