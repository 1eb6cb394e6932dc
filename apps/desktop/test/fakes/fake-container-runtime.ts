import { err, ok, type Result } from '@shared/result'
import { createFakeTerminal, type FakeTerminal } from './fake-terminal'
import type {
  CommandOutput,
  ContainerError,
  ContainerErrorType,
  ContainerRuntime,
  ContainerSpec,
  ContainerState,
  EngineInfo,
  ImageInfo,
} from '@main/ports/container-runtime'

/*
 * A container engine in memory. A container does what the test's program says; the program writes to the mounts'
 * host folders as a real one would.
 */

export interface FakeExit {
  readonly exitCode: number
  readonly outOfMemory?: boolean
  /** When it ended, where that is not the moment at which its program settles. */
  readonly endedAt?: number
}

/** `stopped` is aborted by TERM; a program that goes on is killed after the grace. */
export type FakeProgram = (
  spec: ContainerSpec,
  stopped: AbortSignal,
  terminal: FakeTerminal,
) => Promise<FakeExit>

export interface FakeContainerRuntime extends ContainerRuntime {
  /** Every spec that was started, in order. */
  readonly started: readonly ContainerSpec[]
  /** From now on (null: no longer) every call fails with this. */
  failWith(type: ContainerErrorType | null): void
  addImage(reference: string, image?: Partial<ImageInfo>): void
  /** Ends a container from outside, as an engine that dies does. */
  kill(idOrName: string): void
  /** What `runOnce` answers. */
  answerOnce(answer: (argv: readonly string[]) => Result<CommandOutput, ContainerError>): void
}

export interface FakeContainerRuntimeOptions {
  readonly program?: FakeProgram
  readonly info?: Partial<EngineInfo>
  readonly images?: readonly string[]
  /** The time that containers tell of their start and end; without it a number that grows. */
  readonly now?: () => number
}

interface FakeContainer {
  state: ContainerState
  readonly stop: AbortController
  readonly kill: () => void
  readonly ended: Promise<void>
  readonly begin: () => void
  readonly terminal: FakeTerminal | null
}

const error = (
  type: ContainerErrorType,
  message: string = type,
): { readonly ok: false; readonly error: ContainerError } =>
  err({ type, message, retryable: type === 'unreachable' })

export function createFakeContainerRuntime(options: FakeContainerRuntimeOptions = {}): FakeContainerRuntime {
  const { program = async () => ({ exitCode: 0 }) } = options
  const containers = new Map<string, FakeContainer>()
  const images = new Map<string, ImageInfo>()
  const started: ContainerSpec[] = []
  let failure: ContainerErrorType | null = null
  let nextId = 1
  let count = 1
  const now = options.now ?? (() => (count += 1))
  let onceAnswer = (_argv: readonly string[]): Result<CommandOutput, ContainerError> =>
    ok({ exitCode: 0, stdout: '', stderr: '' })

  const addImage = (reference: string, image: Partial<ImageInfo> = {}): void => {
    images.set(reference, { digest: `sha256:${reference}`, sizeBytes: 1_000_000, labels: {}, ...image })
  }
  for (const reference of options.images ?? []) addImage(reference)

  const imageOf = (reference: string): ImageInfo | undefined =>
    images.get(reference) ?? [...images.values()].find(({ digest }) => digest === reference)

  const find = (idOrName: string): FakeContainer | undefined =>
    containers.get(idOrName) ?? [...containers.values()].find(({ state }) => state.name === idOrName)

  const guarded = async <T>(
    work: () => Promise<Result<T, ContainerError>> | Result<T, ContainerError>,
  ): Promise<Result<T, ContainerError>> => (failure === null ? work() : error(failure))

  const make = (spec: ContainerSpec, image: ImageInfo): FakeContainer => {
    const stop = new AbortController()
    const id = `container-${nextId}`
    nextId += 1
    let finish: (exit: FakeExit) => void = () => {}
    const exit = new Promise<FakeExit>((resolve) => {
      finish = resolve
    })
    const container: FakeContainer = {
      state: {
        id,
        name: spec.name,
        running: false,
        paused: false,
        exitCode: null,
        outOfMemory: false,
        memoryLimitHit: false,
        imageDigest: image.digest,
        labels: spec.labels,
        startedAt: null,
        endedAt: null,
      },
      stop,
      terminal: spec.hasTerminal === true ? createFakeTerminal() : null,
      begin() {
        container.state = { ...container.state, running: true, startedAt: now() }
        started.push(spec)
        const terminal = container.terminal ?? createFakeTerminal()
        void program(spec, stop.signal, terminal).then(finish, () => finish({ exitCode: 1 }))
      },
      kill: () => finish({ exitCode: 137 }),
      ended: exit.then(({ exitCode, outOfMemory = false, endedAt }) => {
        container.state = {
          ...container.state,
          running: false,
          exitCode,
          outOfMemory,
          memoryLimitHit: outOfMemory,
          endedAt: endedAt ?? now(),
        }
        container.terminal?.end()
      }),
    }
    containers.set(id, container)
    return container
  }

  const findOrMake = (spec: ContainerSpec): Result<FakeContainer, ContainerError> => {
    const existing = find(spec.name)
    if (existing !== undefined) {
      const isOurs = Object.entries(spec.labels).every(
        ([name, value]) => existing.state.labels[name] === value,
      )
      return isOurs ? ok(existing) : error('unexpected')
    }
    const image = imageOf(spec.image)
    return image === undefined
      ? error('image_missing', `the image ${spec.image} is not there`)
      : ok(make(spec, image))
  }

  return {
    started,
    failWith: (type) => {
      failure = type
    },
    addImage,
    kill: (idOrName) => find(idOrName)?.kill(),
    answerOnce: (answer) => {
      onceAnswer = answer
    },
    info: () =>
      guarded(() =>
        ok({
          endpoint: 'unix:///fake.sock',
          source: 'socket',
          version: '1.0',
          apiVersion: '1.41',
          architecture: 'x86_64',
          operatingSystem: 'linux',
          rootless: false,
          userRemapped: false,
          cpus: 4,
          memoryBytes: 8_000_000_000,
          ...options.info,
        }),
      ),
    create: (spec) =>
      guarded(() => {
        const found = findOrMake(spec)
        return found.ok ? ok(found.value.state) : found
      }),
    start: (spec) =>
      guarded(() => {
        const found = findOrMake(spec)
        if (!found.ok) return found
        if (found.value.state.startedAt === null) found.value.begin()
        return ok(found.value.state)
      }),
    attach: (id) =>
      guarded(() => {
        const container = find(id)
        if (container === undefined) return error('not_found')
        return container.terminal === null ? error('unexpected') : ok(container.terminal.hold())
      }),
    resize: (id, size) =>
      guarded(() => {
        const container = find(id)
        if (container === undefined) return error('not_found')
        if (container.terminal === null || !container.state.running) return error('unexpected')
        container.terminal.resize(size)
        return ok(undefined)
      }),
    inspect: (idOrName) =>
      guarded(() => {
        const container = find(idOrName)
        return container === undefined ? error('not_found') : ok(container.state)
      }),
    wait: (id, signal) =>
      guarded(async () => {
        const container = find(id)
        if (container === undefined) return error('not_found')
        const aborted = new Promise<'aborted'>((resolve) => {
          if (signal.aborted) resolve('aborted')
          signal.addEventListener('abort', () => resolve('aborted'), { once: true })
        })
        return (await Promise.race([container.ended, aborted])) === 'aborted'
          ? error('aborted')
          : ok(container.state)
      }),
    stop: (id, graceMs) =>
      guarded(async () => {
        const container = find(id)
        if (container === undefined || !container.state.running) return ok(undefined)
        container.stop.abort()
        const timer = setTimeout(container.kill, graceMs)
        await container.ended
        clearTimeout(timer)
        return ok(undefined)
      }),
    remove: (id) =>
      guarded(() => {
        const container = find(id)
        container?.kill()
        if (container !== undefined) containers.delete(container.state.id)
        return ok(undefined)
      }),
    listByLabel: (label, value) =>
      guarded(() =>
        ok(
          [...containers.values()].map(({ state }) => state).filter(({ labels }) => labels[label] === value),
        ),
      ),
    runOnce: (image, argv) =>
      guarded(() => (imageOf(image) === undefined ? error('image_missing') : onceAnswer(argv))),
    findImage: (reference) => guarded(() => ok(imageOf(reference) ?? null)),
    pullImage: (reference) =>
      guarded(() => error('registry_unreachable', `pulling ${reference}: no such host`)),
    buildImage: (request, onProgress) =>
      guarded(() => {
        onProgress({ step: 'step 1 of 1', fraction: 0, detail: '' })
        addImage(request.tag, { labels: request.labels })
        return ok(imageOf(request.tag) ?? { digest: '', sizeBytes: 0, labels: {} })
      }),
    importImage: (request) =>
      guarded(() => {
        addImage(request.tag)
        return ok(imageOf(request.tag) ?? { digest: '', sizeBytes: 0, labels: {} })
      }),
    removeImage: (tag) =>
      guarded(() => {
        const image = images.get(tag)
        const isUsed = [...containers.values()].some(({ state }) => state.imageDigest === image?.digest)
        if (image !== undefined && isUsed) return ok(false)
        images.delete(tag)
        return ok(true)
      }),
    ensureAgentNetwork: () => guarded(() => ok('alfred-agents')),
  }
}
