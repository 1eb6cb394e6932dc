import { ok, type Result } from '@shared/result'
import { containerPaths } from './container-paths'
import type { ContainerSpec } from './container-spec'
import { bind, loginMounts, tmpfs, tmpfsMounts, userMounts, type SandboxSpecError } from './sandbox-mounts'
import type { SandboxRequest } from './sandbox-spec'

/** One question to an agent's provider, asked by its CLI. */
export interface ProbeRequest extends Pick<SandboxRequest, 'image' | 'adapter' | 'command' | 'credentials'> {
  readonly name: string
  readonly user: ContainerSpec['user']
  /** Absolute host paths: `input` holds the prompt, `output` the two stream files. */
  readonly folders: Pick<SandboxRequest['folders'], 'input' | 'output'>
  readonly files: Pick<SandboxRequest['files'], 'entry' | 'passwd' | 'group'>
  readonly labels: Readonly<Record<string, string>>
}

const limits = { memoryBytes: 2_000_000_000, cpus: 1, pids: 256 }

/**
 * The sandbox of a run without what only work needs: no workspace, no repository, no session. Whatever the CLI does
 * in there, nothing of it is kept.
 */
export function buildProbeSpec(request: ProbeRequest): Result<ContainerSpec, SandboxSpecError> {
  const { adapter, folders, user } = request
  const logins = loginMounts(request.credentials, adapter.id)
  if (!logins.ok) return logins
  const binds = [
    bind(folders.input, containerPaths.input, true, 'the question'),
    bind(folders.output, containerPaths.output, false, 'results'),
    bind(`${folders.output}/stream.out`, containerPaths.streamOut, false, 'what the agent prints'),
    bind(`${folders.output}/stream.err`, containerPaths.streamErr, false, 'what the agent prints as errors'),
    bind(request.files.entry, containerPaths.entry, true, "Alfred's start script"),
    ...userMounts(request.files),
    ...logins.value,
  ]
  const state = adapter.sessionStatePath === null ? [] : [adapter.sessionStatePath]
  return ok({
    name: request.name,
    image: request.image,
    argv: ['/bin/sh', containerPaths.entry, ...request.command.argv],
    environment: {
      ...request.command.environment,
      HOME: containerPaths.home,
      USER: user.uid === 0 ? 'root' : 'agent',
      LANG: 'C.UTF-8',
      ALFRED_RUNNER: 'container',
      ALFRED_MODE: 'ask',
    },
    workingDirectory: containerPaths.workspace,
    user,
    mounts: [
      ...tmpfsMounts(binds, [...adapter.scratchPaths, ...state]),
      tmpfs(containerPaths.workspace, 'an empty folder'),
      ...binds,
    ],
    limits,
    network: 'bridge',
    labels: request.labels,
  })
}
