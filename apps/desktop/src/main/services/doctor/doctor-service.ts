import type { DoctorLine } from '@shared/contract/app'
import { formatBytes } from '@shared/format'
import { sandboxUser, type AppUser } from '../../core/sandbox/sandbox-user'
import type { DesktopServices } from '../../ports/desktop-services'
import type { ContainerError, ContainerRuntime, EngineInfo } from '../../ports/container-runtime'
import type { Disk } from '../../ports/disk'
import type { Git } from '../../ports/git'
import type { Randomness } from '../../ports/randomness'
import type { SandboxFiles } from '../../ports/sandbox-files'
import type { Installation } from '../../ports/stores'
import type { ForgeCheck } from './forge-checks'
import { desktopCheck, desktopFinding, linksCheck, linksFinding } from './desktop-checks'
import { proveBindMount } from './prove-bind-mount'

/*
 * What must be there for runs to work, one line each; a failed line has exactly one fix. Lines are told as they are
 * known, so that a slow one holds up no other.
 */

export interface DoctorParts {
  readonly runtime: ContainerRuntime
  readonly git: Git
  readonly disk: Disk
  readonly desktop: DesktopServices
  readonly sandboxFiles: SandboxFiles
  readonly randomness: Randomness
  readonly installId: string
  readonly dataFolder: string
  readonly appUser: AppUser
  /** Where tokens are kept, in words; an error: nowhere safe. */
  readonly secretStorage: () => Promise<{
    readonly state: 'keyring' | 'file' | 'none'
    readonly detail: string
  }>
  /** The image that runs use now; null: not built yet. */
  readonly findImage: () => Promise<{
    readonly tag: string
    readonly digest: string
    readonly sizeBytes: number | null
  } | null>
  /** What the agent CLIs of the image say of themselves. */
  readonly installations: (image: {
    readonly tag: string
    readonly digest: string
  }) => Promise<readonly Installation[]>
  /** Whether this version has an agent for more than demos. */
  readonly hasAgentForProjects: boolean
  /** Those of this computer. */
  readonly forges: () => readonly {
    readonly name: string
    readonly kind: string
    readonly check: () => Promise<string | null>
  }[]
  readonly connectedForges: () => Promise<readonly ForgeCheck[]>
}

export interface DoctorService {
  /** All lines, in order; `onLine` hears each as soon as it is known, first as `checking`. */
  examine(onLine: (line: DoctorLine) => void): Promise<DoctorLine[]>
}

type Fix = NonNullable<DoctorLine['fix']>
export type Check = { readonly check: string; readonly group: DoctorLine['group']; readonly title: string }
export type Finding = {
  readonly state: Exclude<DoctorLine['state'], 'checking'>
  readonly detail: string
  readonly fix?: Fix
}

const checks = {
  docker: { check: 'docker', group: 'computer', title: 'Docker' },
  disk: { check: 'disk', group: 'computer', title: 'Disk' },
  mounts: { check: 'mounts', group: 'computer', title: 'Shared folders' },
  git: { check: 'git', group: 'computer', title: 'git' },
  secrets: { check: 'secrets', group: 'computer', title: 'Storage for tokens' },
  image: { check: 'image', group: 'agents', title: 'Agent image' },
  projectAgents: { check: 'project-agents', group: 'agents', title: 'Agents for your projects' },
} as const satisfies Record<string, Check>

const fix = (text: string, command: string | null = null, action: Fix['action'] = 'check_again'): Fix => ({
  text,
  command,
  action,
})

export function createDoctorService(parts: DoctorParts): DoctorService {
  return {
    async examine(onLine) {
      const lines: DoctorLine[] = []
      const tell = async (check: Check, find: () => Promise<Finding>): Promise<void> => {
        onLine({ ...check, state: 'checking', detail: '', fix: null })
        const line = toLine(check, await find())
        lines.push(line)
        onLine(line)
      }
      const engine = await parts.runtime.info()
      await tell(checks.docker, () => Promise.resolve(dockerFinding(engine)))
      await tell(checks.disk, () => diskFinding(parts))
      await tell(checks.git, () => gitFinding(parts.git))
      await tell(checks.secrets, () => secretsFinding(parts))
      await tell(desktopCheck, () => desktopFinding(parts.desktop))
      const links = await linksFinding(parts.desktop)
      if (links !== null) await tell(linksCheck, () => Promise.resolve(links))
      const image = engine.ok ? await parts.findImage() : null
      await tell(checks.mounts, () => mountsFinding(parts, engine.ok ? engine.value : null, image))
      for (const forge of parts.forges()) {
        await tell({ check: `forge-${forge.kind}`, group: 'forges', title: forge.name }, () =>
          forgeFinding(forge),
        )
      }
      for (const { check, find } of await parts.connectedForges()) await tell(check, find)
      await tell(checks.image, () => Promise.resolve(imageFinding(engine.ok, image)))
      for (const found of image === null ? [] : await parts.installations(image)) {
        await tell({ check: `agent-${found.adapter}`, group: 'agents', title: found.adapter }, () =>
          Promise.resolve(agentFinding(found)),
        )
      }
      if (!parts.hasAgentForProjects) {
        await tell(checks.projectAgents, () =>
          Promise.resolve({ state: 'optional', detail: 'none in this version' }),
        )
      }
      return lines
    },
  }
}

const toLine = (check: Check, { state, detail, fix: repair }: Finding): DoctorLine => ({
  ...check,
  state,
  detail,
  fix: repair ?? null,
})

function dockerFinding(engine: Awaited<ReturnType<ContainerRuntime['info']>>): Finding {
  if (engine.ok) {
    const { version, endpoint, source, rootless, cpus, memoryBytes } = engine.value
    const where = {
      setting: 'by the setting DOCKER_ENDPOINT',
      DOCKER_HOST: 'by DOCKER_HOST',
      context: 'by the docker context',
      socket: 'at its usual place',
    }[source]
    return {
      state: 'passed',
      detail: `${version}${rootless ? ', rootless' : ''} at ${endpoint}, found ${where}; ${cpus} processors, ${formatBytes(memoryBytes)}`,
    }
  }
  return { state: 'failed', detail: engine.error.message, fix: dockerFix(engine.error) }
}

function dockerFix({ type }: ContainerError): Fix {
  if (type === 'not_permitted')
    return fix('Allow your user to use Docker, then sign in again.', 'sudo usermod -aG docker "$USER"')
  if (type === 'api_too_old') return fix('Install Docker 19.03 or later.')
  return process.platform === 'linux'
    ? fix('Install Docker and start it.', 'sudo systemctl enable --now docker')
    : fix('Install Docker Desktop, or start it.')
}

async function diskFinding({ disk, dataFolder }: DoctorParts): Promise<Finding> {
  const free = await disk.freeBytes(dataFolder)
  if (free === null)
    return { state: 'skipped', detail: `the system does not say how much is free at ${dataFolder}` }
  const detail = `${formatBytes(free)} free at ${dataFolder}`
  if (free >= 10_000_000_000) return { state: 'passed', detail }
  return {
    state: 'failed',
    detail,
    fix: fix('Free at least 10 GB: images, workspaces and results need room.'),
  }
}

async function gitFinding(git: Git): Promise<Finding> {
  const version = await git.version()
  if (version.ok) return { state: 'passed', detail: version.value }
  return {
    state: 'failed',
    detail: version.error.message,
    fix: fix(
      'Install git.',
      process.platform === 'linux' ? 'sudo apt-get install git' : 'xcode-select --install',
    ),
  }
}

async function secretsFinding({ secretStorage }: DoctorParts): Promise<Finding> {
  const { state, detail } = await secretStorage()
  return state === 'none' ? { state: 'optional', detail } : { state: 'passed', detail }
}

type FoundImage = Awaited<ReturnType<DoctorParts['findImage']>>

async function mountsFinding(
  parts: DoctorParts,
  engine: EngineInfo | null,
  image: FoundImage,
): Promise<Finding> {
  if (engine === null) return { state: 'skipped', detail: 'needs Docker' }
  if (image === null) return { state: 'skipped', detail: 'needs the agent image' }
  const user = sandboxUser(parts.appUser, engine)
  const proof = await proveBindMount(parts, image.digest, user)
  if (proof.ok)
    return { state: 'passed', detail: `a container wrote a file at ${parts.dataFolder} as uid ${user.uid}` }
  return {
    state: 'failed',
    detail: proof.error,
    fix: fix(
      'Set ALFRED_HOME to a folder that Docker may mount and your user may write.',
      null,
      'open_settings',
    ),
  }
}

async function forgeFinding(forge: { readonly check: () => Promise<string | null> }): Promise<Finding> {
  const problem = await forge.check()
  return problem === null
    ? { state: 'passed', detail: 'answers' }
    : {
        state: 'failed',
        detail: problem,
        fix: fix('Check the address and the token of this forge.', null, 'open_settings'),
      }
}

function imageFinding(hasEngine: boolean, image: FoundImage): Finding {
  if (!hasEngine) return { state: 'skipped', detail: 'needs Docker' }
  if (image === null)
    return {
      state: 'failed',
      detail: 'not built yet',
      fix: fix('Build the agent image.', null, 'build_image'),
    }
  return {
    state: 'passed',
    detail: `${image.tag}${image.sizeBytes === null ? '' : `, ${formatBytes(image.sizeBytes)}`}`,
  }
}

/** What a look at one agent found. */
export function agentFinding({
  runner,
  version,
  resumable,
  reason,
}: Pick<Installation, 'runner' | 'version' | 'resumable' | 'reason'>): Finding {
  if (version === null) {
    const where = runner === 'host' ? 'not on this computer' : 'not in the agent image'
    return { state: 'optional', detail: `${where}; needed only if a project uses it` }
  }
  return {
    state: 'passed',
    detail: `${version}, ${resumable ? 'sessions are resumed' : `sessions are not resumed: ${reason ?? 'version not verified'}`}`,
  }
}

/** The lines as text, for a bug report. */
export function doctorReport(lines: readonly DoctorLine[], version: string): string {
  return [
    `Alfred ${version} on ${process.platform} ${process.arch}`,
    ...lines.map(
      ({ state, title, detail, fix: repair }) =>
        `${state.padEnd(8)} ${title}: ${detail}${repair === null ? '' : ` -> ${repair.text}${repair.command === null ? '' : ` (${repair.command})`}`}`,
    ),
  ].join('\n')
}
