import type { ContainerCreateOptions } from 'dockerode'
import type { BindMount, ContainerLimits, ContainerSpec, TmpfsMount } from '@main/ports/container-runtime'

/*
 * A spec as the engine wants it, with everything that holds for every container of ours: read-only root,
 * no capabilities, no new privileges, an init process, no log, no swap.
 */

export interface EngineDifferences {
  /** The engine remaps uids: our containers opt out, so that files on both sides belong to the same user. */
  readonly userRemapped: boolean
  /** Name of the network that `bridge` means. */
  readonly agentNetwork: string
}

export function createOptions(spec: ContainerSpec, engine: EngineDifferences): ContainerCreateOptions {
  const [program = '/bin/true', ...rest] = spec.argv
  return {
    name: spec.name,
    Image: spec.image,
    // Both are given, so that no ENTRYPOINT or CMD of the image takes part.
    Entrypoint: [program],
    Cmd: rest,
    Env: Object.entries(spec.environment).map(([name, value]) => `${name}=${value}`),
    WorkingDir: spec.workingDirectory,
    User: `${spec.user.uid}:${spec.user.gid}`,
    Labels: { ...spec.labels },
    Tty: spec.hasTerminal === true,
    OpenStdin: spec.hasTerminal === true,
    StopSignal: 'SIGTERM',
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      ...hardening(spec.limits),
      NetworkMode: spec.network === 'none' ? 'none' : engine.agentNetwork,
      ...(engine.userRemapped ? { UsernsMode: 'host' } : {}),
      Tmpfs: Object.fromEntries(
        spec.mounts
          .filter((mount) => mount.kind === 'tmpfs')
          .map((mount) => [mount.target, tmpfsOptions(mount, spec.user)]),
      ),
      Mounts: spec.mounts.filter((mount) => mount.kind === 'bind').map(bindMount),
    },
  }
}

export function hardening(limits: ContainerLimits) {
  return {
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    Privileged: false,
    Init: true,
    PidsLimit: limits.pids,
    Memory: limits.memoryBytes,
    // Equal to Memory: no swap, so that the limit is met at once and not after minutes of paging.
    MemorySwap: limits.memoryBytes,
    NanoCpus: Math.round(limits.cpus * 1_000_000_000),
    IpcMode: 'private',
    LogConfig: { Type: 'none', Config: {} },
    // The exit state would be lost with it.
    AutoRemove: false,
    RestartPolicy: { Name: 'no' },
  }
}

/** Through HostConfig.Tmpfs: the other way (Mounts) knows no owner and no exec. */
export function tmpfsOptions(mount: TmpfsMount, user: ContainerSpec['user']): string {
  const mode = mount.target === '/tmp' ? '1777' : '0700'
  const exec = mount.exec ? 'exec' : 'noexec'
  return `rw,nosuid,nodev,${exec},size=${mount.sizeBytes},uid=${user.uid},gid=${user.gid},mode=${mode}`
}

/** `Mounts`, not `Binds`: a missing source is an error instead of a folder made by root. */
function bindMount(mount: BindMount) {
  return {
    Type: 'bind' as const,
    Source: mount.source,
    Target: mount.target,
    ReadOnly: mount.readOnly,
    BindOptions: { Propagation: 'rprivate' as const },
  }
}
