import { err, ok, type Result } from '@shared/result'
import type {
  ContainerError,
  ContainerErrorType,
  ContainerRuntime,
  ImageInfo,
  OnBuildProgress,
} from '@main/ports/container-runtime'
import { createLineSplitter, type StreamLine } from '@main/core/stream/line-splitter'
import { tarStream } from '../tar/tar-stream'
import type { DockerConnector } from './connection'
import { abortedError, containerError, hasStatus } from './docker-errors'
import { createProgressReader } from './progress'

type Images = Pick<ContainerRuntime, 'findImage' | 'pullImage' | 'buildImage' | 'importImage' | 'removeImage'>

/** A registry that says nothing for this long is not there. */
const silenceLimitMs = 60_000

export function createImages(connector: DockerConnector): Images {
  const findImage = async (reference: string): Promise<Result<ImageInfo | null, ContainerError>> => {
    const found = await connector.call('looking for the image', async ({ docker }): Promise<ImageInfo> => {
      const info = await docker.getImage(reference).inspect()
      return { digest: info.Id, sizeBytes: info.Size, labels: info.Config?.Labels ?? {} }
    })
    if (found.ok) return found
    return found.error.type === 'not_found' || found.error.type === 'image_missing' ? ok(null) : found
  }

  const present = async (reference: string, what: string): Promise<Result<ImageInfo, ContainerError>> => {
    const found = await findImage(reference)
    if (!found.ok) return found
    return found.value === null
      ? err(containerError('unexpected', `${what} left no image ${reference}`))
      : ok(found.value)
  }

  return {
    findImage,

    pullImage: async (reference, onProgress, signal) => {
      const what = `pulling ${reference}`
      const pulled = await connector.call(
        what,
        async ({ docker }) => {
          const limit = silenceLimit(signal)
          try {
            const stream = await docker.pull(reference, { abortSignal: limit.signal })
            return await followProgress(stream, {
              what,
              failure: 'unexpected',
              onProgress,
              signal: limit.signal,
              onLine: limit.touch,
            })
          } catch (thrown) {
            if (limit.isSilent())
              return containerError('registry_unreachable', `${what}: the registry does not answer`)
            throw thrown
          } finally {
            limit.clear()
          }
        },
        Number.POSITIVE_INFINITY,
      )
      return settled(pulled, () => present(reference, what))
    },

    buildImage: async (request, onProgress, signal) => {
      const what = `building ${request.tag}`
      const built = await connector.call(
        what,
        async ({ docker }) => {
          const context = tarStream(
            request.files.map((file) => ({
              kind: 'file',
              path: file.path,
              source: file.source,
              mode: file.executable ? 0o755 : 0o644,
            })),
          )
          const stream = await docker.buildImage(context, {
            t: request.tag,
            buildargs: { ...request.buildArguments },
            labels: { ...request.labels },
            networkmode: request.network,
            rm: true,
            forcerm: true,
            abortSignal: signal,
          })
          return followProgress(stream, {
            what,
            failure: 'build_failed',
            onProgress,
            signal,
            onLine: () => {},
          })
        },
        Number.POSITIVE_INFINITY,
      )
      await removeStages(connector)
      return settled(built, () => present(request.tag, what))
    },

    importImage: async (request, signal) => {
      const what = `importing ${request.tag}`
      const [repository, tag] = splitTag(request.tag)
      const imported = await connector.call(
        what,
        async ({ docker }) => {
          const stream = await docker.importImage(request.tar, {
            repo: repository,
            tag,
            changes: [...request.changes],
            abortSignal: signal,
          })
          return followProgress(stream, {
            what,
            failure: 'unexpected',
            onProgress: () => {},
            signal,
            onLine: () => {},
          })
        },
        Number.POSITIVE_INFINITY,
      )
      return settled(imported, () => present(request.tag, what))
    },

    removeImage: (tag) =>
      connector.call(`removing ${tag}`, async ({ docker }) => {
        try {
          await docker.getImage(tag).remove()
          return true
        } catch (thrown) {
          if (hasStatus(thrown, 404)) return true
          // In use, ended containers included.
          if (hasStatus(thrown, 409)) return false
          throw thrown
        }
      }),
  }
}

/** Stages of a build that no image needs any more; a failure leaves them lying, which harms nobody. */
async function removeStages(connector: DockerConnector): Promise<void> {
  await connector.call('removing build stages', ({ docker }) =>
    docker.pruneImages({ filters: { dangling: ['true'], label: ['dev.alfred.stage=tools'] } }),
  )
}

interface Following {
  readonly what: string
  readonly failure: ContainerErrorType
  readonly onProgress: OnBuildProgress
  readonly signal: AbortSignal
  readonly onLine: () => void
}

/** Reads the engine's account to its end; the error that it tells, or null. */
async function followProgress(
  stream: NodeJS.ReadableStream,
  following: Following,
): Promise<ContainerError | null> {
  const { signal, what } = following
  const reader = createProgressReader(what, following.failure)
  const splitter = createLineSplitter()
  const stop = (): void => {
    if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy()
  }
  const take = (lines: readonly StreamLine[]): void => {
    for (const line of lines) {
      const progress = reader.line(line.text)
      if (progress !== null) following.onProgress(progress)
    }
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    for await (const chunk of stream) {
      following.onLine()
      take(splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    }
    take(splitter.end())
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return signal.aborted ? abortedError(what) : reader.error()
}

async function settled(
  told: Result<ContainerError | null, ContainerError>,
  find: () => Promise<Result<ImageInfo, ContainerError>>,
): Promise<Result<ImageInfo, ContainerError>> {
  if (!told.ok) return told
  return told.value === null ? find() : err(told.value)
}

/** Aborts with the caller's signal, or after a long silence. */
function silenceLimit(signal: AbortSignal) {
  const silence = new AbortController()
  const start = (): NodeJS.Timeout => setTimeout(() => silence.abort(), silenceLimitMs)
  let timer = start()
  return {
    signal: AbortSignal.any([signal, silence.signal]),
    touch: () => {
      clearTimeout(timer)
      timer = start()
    },
    isSilent: () => silence.signal.aborted,
    clear: () => clearTimeout(timer),
  }
}

/** `registry:5000/name:tag` into name and tag. */
function splitTag(reference: string): readonly [string, string] {
  const colon = reference.lastIndexOf(':')
  return colon > reference.lastIndexOf('/')
    ? [reference.slice(0, colon), reference.slice(colon + 1)]
    : [reference, 'latest']
}
