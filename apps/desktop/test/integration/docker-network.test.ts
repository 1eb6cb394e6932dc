import { randomUUID } from 'node:crypto'
import Docker from 'dockerode'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { createDockerRuntime } from '@main/adapters/container/docker/docker-runtime'
import { createSystemClock } from '@main/adapters/system/system-clock'
import type { ContainerRuntime, ContainerSpec } from '@main/ports/container-runtime'
import { agentImageTag, testLabel, testRuntime } from './support/agent-container'
import { value } from './support/engine-bench'

/*
 * The network of the agents, on which no container reaches another. The first two runs on a fresh engine start together. An engine that is asked at once for one name makes it twice,
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

const ours = { 'dev.alfred.network': 'agents' }
const separation = 'com.docker.network.bridge.enable_icc'
const apart = { [separation]: 'false' }
const make = (Labels: Record<string, string>, Options: Record<string, string>) =>
  docker.createNetwork({ Name: networkName, Driver: 'bridge', CheckDuplicate: false, Labels, Options })

it('starts containers on an engine that made the network twice', async () => {
  await make(ours, apart)
  await make(ours, apart)
  expect(await idsOfNetwork()).toHaveLength(2)

  expect(await endOf(spec())).toBe(0)

  expect(await idsOfNetwork()).toHaveLength(1)
})

it('makes a network of its own anew on which containers reach each other', async () => {
  const old = await make(ours, {})
  expect(await endOf(spec())).toBe(0)
  const [made = ''] = await idsOfNetwork()
  expect(made).not.toBe(old.id)
  expect(await docker.getNetwork(made).inspect()).toMatchObject({ Options: apart, Labels: ours })
})

it('refuses one that somebody else made so, and says what to do', async () => {
  const theirs = await make({}, { [separation]: 'true' })
  expect(await runtime.start(spec())).toMatchObject({
    error: {
      type: 'unexpected',
      message: expect.stringMatching(
        new RegExp(`^making the network.*Alfred did not make it.*docker network rm ${networkName}`),
      ),
    },
  })
  expect(await idsOfNetwork()).toEqual([theirs.id])
})

it('refuses one of its own that is in use, and leaves what uses it alone', async () => {
  const old = await make(ours, {})
  const user = await docker.createContainer({
    Image: image,
    Cmd: ['sleep', '600'],
    Labels: testLabel,
    HostConfig: { NetworkMode: old.id },
  })
  try {
    await user.start()
    expect(await runtime.start(spec())).toMatchObject({
      error: { message: expect.stringContaining('it is in use. Stop what uses it') },
    })
    expect((await user.inspect()).State.Running).toBe(true)
  } finally {
    await user.remove({ force: true })
  }
  expect(await endOf(spec())).toBe(0)
})
