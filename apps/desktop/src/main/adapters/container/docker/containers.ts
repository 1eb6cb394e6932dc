import type Docker from 'dockerode'
import { err, ok, type Result } from '@shared/result'
import type { Clock } from '@main/ports/clock'
import type {
  ContainerError,
  ContainerRuntime,
  ContainerSpec,
  ContainerState,
} from '@main/ports/container-runtime'
import { askLimitMs, type DockerConnector } from './connection'
import { toContainerState } from './container-state'
import { createOptions, type EngineDifferences } from './create-options'
import { abortedError, containerError, hasStatus } from './docker-errors'
import { refusedMount } from './socket-mounts'

type Containers = Pick<
  ContainerRuntime,
  'create' | 'start' | 'inspect' | 'wait' | 'stop' | 'remove' | 'listByLabel'
>

/** A wait that hangs is noticed after this long, by asking. */
const waitSliceMs = 5_000
const unreachablePauseMs = 250

export interface ContainersOptions {
  readonly connector: DockerConnector
  readonly clock: Clock
  readonly ensureNetwork: () => Promise<Result<string, ContainerError>>
  /** How long an engine may be away during a wait. */
  readonly patienceMs: number
}

export function createContainers({
  connector,
  clock,
  ensureNetwork,
  patienceMs,
}: ContainersOptions): Containers {
  const inspect = (idOrName: string): Promise<Result<ContainerState, ContainerError>> =>
    connector.call(
      'looking at the container',
      async ({ docker }) => toContainerState(await docker.getContainer(idOrName).inspect()),
      askLimitMs,
    )

  const startCreated = async (
    spec: ContainerSpec,
    created: Created,
  ): Promise<Result<ContainerState, ContainerError>> => {
    const started = await connector.call('starting the container', ({ docker }) =>
      unlessStatus(304, docker.getContainer(created.id).start()),
    )
    if (started.ok) return inspect(created.id)
    // A container whose command is missing is left behind by the engine; a later start must not find it.
    if (started.error.type !== 'unreachable') await remove(created.id)
    return err(namedError(started.error, spec))
  }

  const findOrCreate = async (spec: ContainerSpec): Promise<Result<Found, ContainerError>> => {
    const network = spec.network === 'bridge' ? await ensureNetwork() : ok('none')
    if (!network.ok) return network
    const created = await connector.call('creating the container', async ({ docker, info }) => {
      const refused = await refusedMount(spec.mounts, info.endpoint)
      if (refused !== null) throw new Error(refused)
      return create(docker, spec, { userRemapped: info.userRemapped, agentNetwork: network.value })
    })
    if (!created.ok) return err(namedError(created.error, spec))
    if (created.value !== null) return ok({ id: created.value.id, state: null })
    const existing = await inspect(spec.name)
    if (!existing.ok) return existing
    if (!carries(existing.value.labels, spec.labels)) {
      return err(containerError('unexpected', `a container named ${spec.name} exists and is not this run's`))
    }
    return ok({ id: existing.value.id, state: existing.value })
  }

  const start = async (spec: ContainerSpec): Promise<Result<ContainerState, ContainerError>> => {
    const found = await findOrCreate(spec)
    if (!found.ok) return found
    const { id, state } = found.value
    return state === null || state.startedAt === null ? startCreated(spec, { id }) : ok(state)
  }

  const makeOnly = async (spec: ContainerSpec): Promise<Result<ContainerState, ContainerError>> => {
    const found = await findOrCreate(spec)
    if (!found.ok) return found
    return found.value.state === null ? inspect(found.value.id) : ok(found.value.state)
  }

  const wait: Containers['wait'] = async (id, signal, watch) => {
    let unreachableSince: number | null = null
    while (!signal.aborted) {
      const state = await inspect(id)
      if (state.ok && !state.value.running) return state
      if (!state.ok) {
        if (state.error.type !== 'unreachable') return state
        watch?.onUnreachable(state.error)
        unreachableSince ??= clock.monotonic()
        if (clock.monotonic() - unreachableSince > patienceMs) return state
        await clock.sleep(unreachablePauseMs, signal)
        continue
      }
      watch?.onSeen(state.value)
      unreachableSince = null
      await waitSlice(id, signal)
    }
    return err(abortedError('the wait for the container'))
  }

  /**
   * The engine's own wait, but never for longer than a slice: it does not settle when the engine dies meanwhile.
   */
  const waitSlice = async (id: string, signal: AbortSignal): Promise<void> => {
    const slice = new AbortController()
    const ends = AbortSignal.any([slice.signal, signal])
    const engineWait = connector.call(
      'waiting for the container',
      ({ docker }) => docker.getContainer(id).wait({ condition: 'not-running', abortSignal: ends }),
      Number.POSITIVE_INFINITY,
    )
    await Promise.race([engineWait, clock.sleep(waitSliceMs, ends)])
    slice.abort()
  }

  const stop = (id: string, graceMs: number): Promise<Result<void, ContainerError>> =>
    connector.call(
      'stopping the container',
      async ({ docker }) => {
        // Whole seconds only; 304: ended already, 404: gone already.
        await unlessStatus(
          404,
          unlessStatus(304, docker.getContainer(id).stop({ t: Math.max(1, Math.ceil(graceMs / 1000)) })),
        )
      },
      graceMs + 30_000,
    )

  const remove = (id: string): Promise<Result<void, ContainerError>> =>
    connector.call('removing the container', async ({ docker }) => {
      // 409: a removal of it is under way.
      await unlessStatus(409, unlessStatus(404, docker.getContainer(id).remove({ force: true, v: true })))
    })

  const listByLabel = async (
    label: string,
    value: string,
  ): Promise<Result<readonly ContainerState[], ContainerError>> => {
    const list = await connector.call(
      'listing our containers',
      ({ docker }) => docker.listContainers({ all: true, filters: { label: [`${label}=${value}`] } }),
      askLimitMs,
    )
    if (!list.ok) return list
    const states: ContainerState[] = []
    for (const entry of list.value) {
      const state = await inspect(entry.Id)
      if (state.ok) states.push(state.value)
      else if (state.error.type !== 'not_found') return state
    }
    return ok(states)
  }

  return { create: makeOnly, start, inspect, wait, stop, remove, listByLabel }
}

interface Created {
  readonly id: string
}

interface Found extends Created {
  /** null: it was made just now. */
  readonly state: ContainerState | null
}

/** null: one with this name exists. */
async function create(
  docker: Docker,
  spec: ContainerSpec,
  engine: EngineDifferences,
): Promise<Created | null> {
  try {
    const container = await docker.createContainer(createOptions(spec, engine))
    return { id: container.id }
  } catch (thrown) {
    if (hasStatus(thrown, 409)) return null
    throw thrown
  }
}

async function unlessStatus(status: number, work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (thrown) {
    if (hasStatus(thrown, status)) return null
    throw thrown
  }
}

const carries = (
  labels: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): boolean => Object.entries(wanted).every(([name, value]) => labels[name] === value)

/** A 404 at creation can only mean the image; the message names it in plain words. */
function namedError(error: ContainerError, spec: ContainerSpec): ContainerError {
  if (error.type === 'image_missing')
    return containerError('image_missing', `the image ${spec.image} is not there`)
  if (error.type === 'command_missing') {
    return containerError('command_missing', `${spec.argv[0] ?? ''} is not in the image ${spec.image}`)
  }
  return error
}
