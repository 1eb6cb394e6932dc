import type Docker from 'dockerode'
import { execFile } from 'node:child_process'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { containerPaths } from '@main/core/sandbox/container-paths'

/*
 * A rival works in the same sandbox as a run: what the engine says about the run's container becomes words of the
 * docker command, with folders of the rival's own for all that can be written.
 */

type Inspected = Docker.ContainerInspectInfo

export interface Twin {
  readonly folder: string
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  /** The words of the original: entry and CLI. */
  readonly argv: readonly string[]
  /** What follows `docker run` or `docker create`, so that this program runs in the sandbox. */
  words(argv: readonly string[]): readonly string[]
}

export interface TwinFolders {
  /** The twin's own; made here. */
  readonly folder: string
  /** Copies of what the repository and the session memory were before the run; null: the run had no memory. */
  readonly repository: string
  readonly state: string | null
}

/** Makes the folders of a twin of this container, named after its own folder. */
export async function createTwin(original: Inspected, folders: TwinFolders): Promise<Twin> {
  const { folder, repository, state } = folders
  await mkdir(folder, { recursive: true })
  await copyFolder(repository, join(folder, 'repo.git'))
  await mkdir(join(folder, 'workspace'))
  await mkdir(join(folder, 'out'))
  await writeFile(join(folder, 'out', 'stream.out'), '')
  await writeFile(join(folder, 'out', 'stream.err'), '')
  if (state === null) await mkdir(join(folder, 'state'))
  else await copyFolder(state, join(folder, 'state'))
  await giveAway(original, folder, ['workspace', 'out', 'out/stream.out', 'out/stream.err', 'state'])
  const name = `alfred-bench-${original.Id.slice(0, 12)}`
  return {
    folder,
    name,
    environment: Object.fromEntries(original.Config.Env.map(splitVariable)),
    argv: wordsOf(original),
    words: (argv) => {
      const [program = '', ...rest] = argv
      return [
        ...sandboxWords(original, folder),
        '--name',
        name,
        '--entrypoint',
        program,
        original.Image,
        ...rest,
      ]
    },
  }
}

/** Owners stay as they are: what the agent wrote it must be able to read again. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to])
}

const splitVariable = (text: string): [string, string] => {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}

const wordsOf = ({ Config }: Inspected): readonly string[] => [Config.Entrypoint ?? [], Config.Cmd].flat()

/** Only root can; otherwise the sandbox's user is the one who runs this. */
async function giveAway({ Config }: Inspected, folder: string, names: readonly string[]): Promise<void> {
  const [uid = 0, gid = 0] = Config.User.split(':').map(Number)
  if (process.getuid?.() !== 0) return
  for (const name of names) await chown(join(folder, name), uid, gid)
}

function sandboxWords({ Config, HostConfig, Mounts }: Inspected, folder: string): readonly string[] {
  const { CapDrop, SecurityOpt, Tmpfs, NetworkMode, PidsLimit, Memory, MemorySwap, NanoCpus } = HostConfig
  const flag = (name: string, values: readonly unknown[]): readonly string[] =>
    values.map((value) => `--${name}=${String(value)}`)
  return [
    ...(HostConfig.ReadonlyRootfs === true ? ['--read-only'] : []),
    ...(HostConfig.Init === true ? ['--init'] : []),
    ...(HostConfig.UsernsMode === 'host' ? ['--userns=host'] : []),
    ...flag('cap-drop', CapDrop as readonly string[]),
    ...flag('security-opt', SecurityOpt as readonly string[]),
    ...flag('pids-limit', [PidsLimit]),
    ...flag('memory', [Memory]),
    ...flag('memory-swap', [MemorySwap]),
    ...flag('cpus', [(NanoCpus ?? 0) / 1e9]),
    ...flag('network', [NetworkMode]),
    ...flag('ipc', [HostConfig.IpcMode]),
    ...flag('log-driver', [HostConfig.LogConfig?.Type]),
    '--no-healthcheck',
    ...flag('user', [Config.User]),
    ...flag('workdir', [Config.WorkingDir]),
    ...flag('env', Config.Env),
    ...flag(
      'tmpfs',
      Object.entries(Tmpfs ?? {}).map(([target, options]) => `${target}:${options}`),
    ),
    ...flag(
      'mount',
      Mounts.filter(({ Type }) => Type === 'bind').map((mount) => mountWords(mount, folder)),
    ),
  ]
}

function mountWords({ Source, Destination, RW }: Inspected['Mounts'][number], folder: string): string {
  const source = ownSource(Destination, RW, folder) ?? Source
  return `type=bind,source=${source},target=${Destination},bind-propagation=rprivate${RW ? '' : ',readonly'}`
}

/** Where the twin has something of its own at this place; null: both read the same. */
function ownSource(target: string, isWritable: boolean, folder: string): string | null {
  switch (target) {
    case containerPaths.repository:
      return join(folder, 'repo.git')
    case containerPaths.workspace:
      return join(folder, 'workspace')
    case containerPaths.output:
      return join(folder, 'out')
    case containerPaths.streamOut:
      return join(folder, 'out', 'stream.out')
    case containerPaths.streamErr:
      return join(folder, 'out', 'stream.err')
    default:
      return isWritable ? join(folder, 'state') : null
  }
}
