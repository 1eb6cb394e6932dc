import type { RunFailure } from '@shared/contract/runs'
import type { Project, Run } from '@shared/model/records'
import type { Runner } from '@shared/model/words'
import type { Result } from '@shared/result'
import type { Redact } from '../../core/redact/redact'
import type { AppUser } from '../../core/sandbox/sandbox-user'
import type { AgentAdapter, AgentAdapters } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { ContainerError, ContainerRuntime, EngineInfo } from '../../ports/container-runtime'
import type { Disk } from '../../ports/disk'
import type { Forge } from '../../ports/forge'
import type { Git } from '../../ports/git'
import type { Logger } from '../../ports/logger'
import type { Randomness } from '../../ports/randomness'
import type { RunFolders } from '../../ports/run-folder'
import type { SandboxFiles } from '../../ports/sandbox-files'
import type { SessionStates } from '../../ports/session-state'
import type { Installation, Store } from '../../ports/stores'
import type { AgentCredentials } from '../agents/agent-credentials'
import type { SettingReader } from '../settings/setting-values'
import type { ChangeFeed } from '../status/change-feed'
import type { RunEndListener, RunPrompts } from '../workflow/ports-of-workflow'
import type { StorageWatch } from '../status/storage-watch'
import type { TerminalHub } from '../terminals/terminal-hub'
import type { DataPaths } from './data-paths'
import type { RunActivities } from './run-activities'
import type { RunEventFeed } from './run-event-feed'
import type { RunFiles } from './run-files'

/** The image that a run works in. */
export interface RunImage {
  /** What a container is created from: never a tag, which could move. */
  readonly digest: string
  readonly tag: string
}

export type RunImageError =
  | { readonly type: 'docker_unreachable'; readonly message: string }
  | { readonly type: 'image_missing'; readonly message: string }
  | { readonly type: 'aborted' }

/** Makes the image of a project ready and says which CLI is in it. */
export interface RunImages {
  ensure(
    base: string | null,
    onProgress: (step: string, fraction: number | null) => void,
    signal: AbortSignal,
  ): Promise<Result<RunImage, RunImageError>>
  installation(adapter: AgentAdapter, image: RunImage): Promise<Result<Installation, ContainerError>>
}

/** What the run services are made of. */
export interface RunParts {
  readonly store: Store
  readonly clock: Clock
  readonly randomness: Randomness
  readonly logger: Logger
  readonly redact: Redact
  readonly settings: SettingReader
  readonly changes: ChangeFeed
  readonly feed: RunEventFeed
  readonly activities: RunActivities
  readonly adapters: AgentAdapters
  readonly paths: DataPaths
  readonly files: RunFiles
  readonly folders: RunFolders
  readonly sandboxFiles: SandboxFiles
  readonly states: SessionStates
  readonly disk: Disk
  /** Whether the data folder takes what is written, and how much of the disk is kept free. */
  readonly storage: Pick<StorageWatch, 'hasRoom' | 'met' | 'untilUsable'>
  readonly diskReserveBytes: number
  readonly git: Git
  readonly forgeOf: (project: Project) => Forge
  /** The host runner is a runtime too: the same entry, bundle and result contract. */
  readonly runtimeOf: (runner: Runner) => ContainerRuntime
  readonly images: RunImages
  /** Who looks at the terminals of runs of that phase. */
  readonly terminals: TerminalHub
  readonly credentials: AgentCredentials
  readonly appUser: AppUser
  readonly dataFolder: string
  /** Random for each life of an engine; on the short containers that are its own. */
  readonly engineUid: string
  readonly prompts: RunPrompts
  readonly listener: RunEndListener
  /** Inside the step that ends a run: queues the one that is to follow it, if any. */
  readonly startSuccessor: (ended: Run) => void
  /** After the commit that ended or requeued a run; for notifications and the status. */
  readonly onSettled: (run: Run) => void
  /** The engine of containers does not answer (or does again). */
  readonly onEngineSeen: (answer: Result<EngineInfo | null, ContainerError>) => void
}

export const failure = (type: RunFailure['type'], message: string, exitCode?: number | null): RunFailure =>
  exitCode === undefined ? { type, message } : { type, message, exitCode }
