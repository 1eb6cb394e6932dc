import { err, ok, type Result } from '@shared/result'
import type { CommandOutput, ContainerError, ContainerState } from '@main/ports/container-runtime'
import type { DockerConnector } from './connection'
import { hardening } from './create-options'
import { containerError } from './docker-errors'

/*
 * A short command in a container that has nothing: for `--version`.
 */

/** Nothing that is asked this way says more. */
const maxOutputBytes = 262_144
/** What the engine itself may take to attach and start. */
const engineGraceMs = 10_000

export interface RunOnceOptions {
  readonly connector: DockerConnector
  readonly labels: Readonly<Record<string, string>>
  readonly wait: (id: string, signal: AbortSignal) => Promise<Result<ContainerState, ContainerError>>
  readonly remove: (id: string) => Promise<Result<void, ContainerError>>
}

export async function runOnce(
  options: RunOnceOptions,
  image: string,
  argv: readonly string[],
  timeoutMs: number,
): Promise<Result<CommandOutput, ContainerError>> {
  const { connector } = options
  const [program = '/bin/true', ...rest] = argv
  const created = await connector.call('creating a container', async ({ docker }) => {
    const container = await docker.createContainer({
      Image: image,
      Entrypoint: [program],
      Cmd: [...rest],
      User: '1000:1000',
      Env: ['HOME=/tmp'],
      WorkingDir: '/tmp',
      Labels: { ...options.labels, 'dev.alfred.purpose': 'once' },
      AttachStdout: true,
      AttachStderr: true,
      HostConfig: {
        ...hardening({ memoryBytes: 1_000_000_000, cpus: 1, pids: 128 }),
        // Without the init process the engine itself says that a command is missing.
        Init: false,
        NetworkMode: 'none',
        Tmpfs: { '/tmp': 'rw,nosuid,nodev,exec,size=64m,mode=1777' },
      },
    })
    return container.id
  })
  if (!created.ok) {
    return created.error.type === 'image_missing'
      ? err(containerError('image_missing', `the image ${image} is not there`))
      : created
  }
  try {
    return await readToEnd(options, created.value, timeoutMs)
  } finally {
    await options.remove(created.value)
  }
}

async function readToEnd(
  options: RunOnceOptions,
  id: string,
  timeoutMs: number,
): Promise<Result<CommandOutput, ContainerError>> {
  const limit = AbortSignal.timeout(timeoutMs)
  const ran = await options.connector.call(
    'running a command in the container',
    async ({ docker }) => {
      const container = docker.getContainer(id)
      const stream = await container.attach({ stream: true, stdout: true, stderr: true, hijack: true })
      const cut = (): void => {
        if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy()
      }
      limit.addEventListener('abort', cut)
      try {
        await container.start()
        return await collect(stream, limit)
      } finally {
        limit.removeEventListener('abort', cut)
        cut()
      }
    },
    // Once attached the stream is cut at the time limit; before that only this ends it.
    timeoutMs + engineGraceMs,
  )
  if (!ran.ok) {
    return ran.error.type === 'command_missing'
      ? err(containerError('command_missing', `the image has no such command`))
      : ran
  }
  const state = await options.wait(id, limit)
  if (!state.ok)
    return state.error.type === 'aborted'
      ? err(containerError('unexpected', `no answer within ${timeoutMs} ms`))
      : state
  return ok({ exitCode: state.value.exitCode ?? -1, ...ran.value })
}

async function collect(
  stream: NodeJS.ReadableStream,
  limit: AbortSignal,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const parts: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  let held = 0
  try {
    for await (const frame of frames(stream)) {
      if (held >= maxOutputBytes) continue
      parts[frame.isError ? 'stderr' : 'stdout'].push(frame.bytes)
      held += frame.bytes.length
    }
  } catch (thrown) {
    // The stream was cut at the time limit.
    if (!limit.aborted) throw thrown
  }
  return {
    stdout: Buffer.concat(parts.stdout).toString('utf8'),
    stderr: Buffer.concat(parts.stderr).toString('utf8'),
  }
}

const headerBytes = 8

/** The engine's framing of the two streams; reading slowly slows the container down. */
async function* frames(
  stream: NodeJS.ReadableStream,
): AsyncGenerator<{ readonly isError: boolean; readonly bytes: Buffer }> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    while (held.length >= headerBytes) {
      const length = held.readUInt32BE(4)
      if (held.length < headerBytes + length) break
      yield { isError: held[0] === 2, bytes: held.subarray(headerBytes, headerBytes + length) }
      held = held.subarray(headerBytes + length)
    }
  }
}
