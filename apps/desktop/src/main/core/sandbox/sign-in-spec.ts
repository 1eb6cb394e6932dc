import { containerPaths, isInside } from './container-paths'
import type { ContainerSpec } from './container-spec'
import { bind, tmpfsMounts, userMounts } from './sandbox-mounts'
import { terminalEnvironment, type SandboxRequest } from './sandbox-spec'

/** A person signs an agent in, on the screen of its CLI's own login. */
export interface SignInRequest extends Pick<SandboxRequest, 'image' | 'adapter' | 'limits' | 'engine'> {
  readonly name: string
  readonly user: ContainerSpec['user']
  readonly command: SandboxRequest['command']
  /** The adapter's own folder of login files on this computer, and where the CLI writes them. */
  readonly folder: { readonly source: string; readonly target: string }
  readonly files: Pick<SandboxRequest['files'], 'passwd' | 'group'>
  readonly labels: Readonly<Record<string, string>>
}

/** Where the CLI writes its login files; null: not into one folder, by the names that they are looked for. */
export function signInFolder({
  files,
}: {
  readonly files: readonly { readonly name: string; readonly target: string }[]
}): string | null {
  const folders = files.map(({ name, target }) =>
    target.endsWith(`/${name}`) ? target.slice(0, -name.length - 1) : null,
  )
  const [folder, ...others] = new Set(folders)
  if (folder === undefined || folder === null || others.length > 0) return null
  return isInside(folder, containerPaths.home) && folder !== containerPaths.home ? folder : null
}

/**
 * The sandbox of a run, with nothing to work on and no memory. The one thing that outlives it is the folder of login
 * files: only here may an agent's CLI write it.
 */
export function buildSignInSpec(request: SignInRequest): ContainerSpec {
  const { adapter, folder, user, limits, engine } = request
  const binds = [
    { ...bind(folder.source, folder.target, false, `login of ${adapter.id}`), isLogin: true } as const,
    ...userMounts(request.files),
  ]
  return {
    name: request.name,
    image: request.image,
    argv: request.command.argv,
    environment: {
      ...request.command.environment,
      HOME: containerPaths.home,
      USER: user.uid === 0 ? 'root' : 'agent',
      LANG: 'C.UTF-8',
      ...terminalEnvironment,
    },
    workingDirectory: containerPaths.home,
    user,
    mounts: [...tmpfsMounts(binds, adapter.scratchPaths), ...binds],
    limits: { ...limits, cpus: Math.min(limits.cpus, engine.cpus) },
    network: 'bridge',
    labels: request.labels,
    hasTerminal: true,
  }
}
