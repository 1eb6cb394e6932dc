import { ok, type Result } from '@shared/result'
import type { AdapterId } from '@shared/model/words'
import type { BindMount, ContainerLimits, ContainerSpec } from './container-spec'
import { containerPaths } from './container-paths'
import type { CredentialMount } from './credential-mounts'
import { bind, loginMounts, tmpfsMounts, userMounts, type SandboxSpecError } from './sandbox-mounts'
import { sandboxUser, type AppUser, type SandboxUser } from './sandbox-user'

/*
 * From the facts of one start to the container it runs in: the whole sandbox (docs/security.md), and nothing else.
 */

/** Which tree the entry puts into the workspace. */
export type StartTree =
  /** The branch, from its base. */
  | 'branch'
  /** The workspace as it is, since the memory believes in it. */
  | 'workspace'
  /** A branch that is left nowhere, for read-only phases of an issue without a branch. */
  | 'temporary'
  /** That branch as it is, where an earlier start left it. */
  | 'temporary_as_is'

export type StartPurpose = 'run' | 'collect' | 'terminal'

/** Absolute host paths of one mailbox and one start. `output` is new for each start of the CLI. */
export interface SandboxFolders {
  readonly workspace: string
  readonly repository: string
  readonly input: string
  /** Holds the two stream files `stream.out` and `stream.err`, made before the start. */
  readonly output: string
  /** null: sessions do not apply, nothing is mounted. */
  readonly state: string | null
}

/** Host paths of what every sandbox mounts read-only. */
export interface FixedSandboxFiles {
  /** `alfred-entry`, the parent of every agent CLI. */
  readonly entry: string
  /** The file named by GIT_CONFIG_SYSTEM. */
  readonly gitConfig: string
  /** With an entry for the user: some CLIs fail without. */
  readonly passwd: string
  readonly group: string
}

export interface SandboxGit {
  readonly branch: string
  readonly baseSha: string
  readonly tree: StartTree
  readonly authorName: string
  readonly authorEmail: string
}

export interface SandboxRequest {
  readonly purpose: StartPurpose
  readonly ids: {
    readonly installId: string
    readonly runUid: string
    readonly mailboxId: number
    readonly attempt: number
    readonly start: number
  }
  readonly image: string
  readonly engine: { readonly rootless: boolean; readonly cpus: number }
  readonly appUser: AppUser
  readonly adapter: {
    readonly id: AdapterId
    readonly sessionStatePath: string | null
    readonly scratchPaths: readonly string[]
  }
  readonly command: {
    readonly argv: readonly string[]
    readonly environment: Readonly<Record<string, string>>
  }
  readonly folders: SandboxFolders
  readonly files: FixedSandboxFiles
  readonly credentials: readonly CredentialMount[]
  readonly limits: ContainerLimits
  readonly git: SandboxGit
  /** Of the input folder, what the CLI is told; without it `prompt`. */
  readonly promptFile?: string
}

/** Labels that every container of ours carries: only what they find is ever touched. */
export const sandboxLabels = {
  install: 'dev.alfred.install',
  /** The life of one engine: on short containers, which belong to no run and end with it. */
  engine: 'dev.alfred.engine',
  run: 'dev.alfred.run',
  mailbox: 'dev.alfred.mailbox',
  purpose: 'dev.alfred.purpose',
  adapter: 'dev.alfred.adapter',
} as const

/**
 * How long a stop may take: the entry KILLs the CLI five seconds after TERM and then collects. What is not collected
 * by then is collected by a container of its own.
 */
export const stopGraceMs = 8_000
export const collectTimeoutMs = 60_000

/** Of an attempt's start; the same start always has the same name, so that it cannot run twice. */
export const containerName = (ids: {
  readonly runUid: string
  readonly attempt: number
  readonly start: number
}): string => `alfred-${ids.runUid}-${ids.attempt}-${ids.start}`

/** The sandbox of one start, see `loginMounts` for its error. */
export function buildContainerSpec(request: SandboxRequest): Result<ContainerSpec, SandboxSpecError> {
  const user = sandboxUser(request.appUser, request.engine)
  const isCollect = request.purpose === 'collect'
  const logins = loginMounts(isCollect ? [] : request.credentials, request.adapter.id)
  if (!logins.ok) return logins
  const binds = [...ownMounts(request), ...logins.value]
  return ok({
    name: containerName(request.ids),
    image: request.image,
    argv: ['/bin/sh', containerPaths.entry, ...(isCollect ? [] : request.command.argv)],
    environment: environmentOf(request, user),
    workingDirectory: containerPaths.workspace,
    user,
    mounts: [...tmpfsMounts(binds, isCollect ? [] : request.adapter.scratchPaths), ...binds],
    limits: { ...request.limits, cpus: Math.min(request.limits.cpus, request.engine.cpus) },
    network: isCollect ? 'none' : 'bridge',
    labels: {
      [sandboxLabels.install]: request.ids.installId,
      [sandboxLabels.run]: request.ids.runUid,
      [sandboxLabels.mailbox]: String(request.ids.mailboxId),
      [sandboxLabels.purpose]: request.purpose,
      [sandboxLabels.adapter]: request.adapter.id,
    },
    ...(request.purpose === 'terminal' ? { hasTerminal: true } : {}),
  })
}

function ownMounts({ purpose, folders, files, adapter }: SandboxRequest): readonly BindMount[] {
  const mounts = [
    bind(folders.workspace, containerPaths.workspace, false, 'the clone that the agent works in'),
    bind(folders.repository, containerPaths.repository, true, "the app's own repository, to fetch from"),
    bind(folders.input, containerPaths.input, true, 'prompt and instructions'),
    bind(folders.output, containerPaths.output, false, 'results'),
    bind(`${folders.output}/stream.out`, containerPaths.streamOut, false, 'what the agent prints'),
    bind(`${folders.output}/stream.err`, containerPaths.streamErr, false, 'what the agent prints as errors'),
    bind(files.entry, containerPaths.entry, true, "Alfred's start script"),
    bind(files.gitConfig, containerPaths.gitConfig, true, "git's system settings"),
    ...userMounts(files),
  ]
  if (purpose === 'collect' || folders.state === null || adapter.sessionStatePath === null) return mounts
  return [...mounts, bind(folders.state, adapter.sessionStatePath, false, 'session memory of this issue')]
}

/** What every terminal of today can do. A stop must reach the CLI, which the entry waits for in the foreground. */
export const terminalEnvironment = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  TINI_KILL_PROCESS_GROUP: '1',
}

function environmentOf(request: SandboxRequest, user: SandboxUser): Readonly<Record<string, string>> {
  const { git, purpose } = request
  return {
    ...(purpose === 'collect' ? {} : request.command.environment),
    HOME: containerPaths.home,
    USER: user.uid === 0 ? 'root' : 'agent',
    LANG: 'C.UTF-8',
    GIT_CONFIG_SYSTEM: containerPaths.gitConfig,
    GIT_AUTHOR_NAME: git.authorName,
    GIT_AUTHOR_EMAIL: git.authorEmail,
    GIT_COMMITTER_NAME: git.authorName,
    GIT_COMMITTER_EMAIL: git.authorEmail,
    ALFRED_RUNNER: 'container',
    ALFRED_MODE: purpose,
    ALFRED_BRANCH: git.branch,
    ALFRED_BASE: git.baseSha,
    ALFRED_TREE: git.tree,
    ...(request.promptFile === undefined ? {} : { ALFRED_PROMPT: request.promptFile }),
    ...(purpose === 'terminal' ? terminalEnvironment : {}),
  }
}
