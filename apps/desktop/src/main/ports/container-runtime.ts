import type { Result } from '@shared/result'
import type { ContainerSpec } from '@main/core/sandbox/container-spec'

export type { BindMount, ContainerLimits, ContainerSpec, TmpfsMount } from '@main/core/sandbox/container-spec'

/*
 * What the engine needs of a container engine. Stream files, not attach, carry a run's output (ADR 3).
 */

export type ContainerErrorType =
  | 'unreachable'
  | 'not_permitted'
  | 'image_missing'
  | 'registry_unreachable'
  | 'build_failed'
  | 'command_missing'
  | 'mount_missing'
  | 'not_found'
  | 'api_too_old'
  /** The caller's signal aborted the call. */
  | 'aborted'
  | 'unexpected'

export interface ContainerError {
  readonly type: ContainerErrorType
  readonly message: string
  /** The same call may succeed a little later: the engine was away, was about to leave, or failed by itself. */
  readonly retryable: boolean
}

export interface EngineInfo {
  readonly endpoint: string
  /** Which rule found the endpoint: the setting, DOCKER_HOST, the docker context, or a usual socket. */
  readonly source: 'setting' | 'DOCKER_HOST' | 'context' | 'socket'
  readonly version: string
  readonly apiVersion: string
  /** As the engine says it: `x86_64`, `aarch64`. */
  readonly architecture: string
  readonly operatingSystem: string
  readonly rootless: boolean
  readonly userRemapped: boolean
  readonly cpus: number
  readonly memoryBytes: number
}

export interface ContainerState {
  readonly id: string
  readonly name: string
  readonly running: boolean
  /** Somebody has stopped the time of a running container: it works again once it is let. */
  readonly paused: boolean
  readonly exitCode: number | null
  /** The container itself was ended by the memory limit. */
  readonly outOfMemory: boolean
  /** Some process inside met the memory limit; the container itself may have ended well (a warning of its own). */
  readonly memoryLimitHit: boolean
  readonly imageDigest: string | null
  readonly labels: Readonly<Record<string, string>>
  readonly startedAt: number | null
  readonly endedAt: number | null
}

/** What a wait sees before its end. */
export interface ContainerWatch {
  /** Every few seconds while the container runs. */
  onSeen(state: ContainerState): void
  /** Each time that the engine was asked and did not answer; the wait goes on. */
  onUnreachable(error: ContainerError): void
}

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** A container's terminal, from the side of the person. */
export interface ContainerTerminal {
  /** What is shown, to be read once. Who does not read lets the container wait. Ends with the container, or the connection. */
  readonly output: AsyncIterable<Uint8Array>
  /** Bytes that are typed; false, and nothing is taken, while the container leaves too many unread. */
  write(bytes: Uint8Array): boolean
  /** Lets go of it; the container goes on. */
  close(): void
}

export interface ImageInfo {
  /** `sha256:…` of the image. */
  readonly digest: string
  readonly sizeBytes: number
  readonly labels: Readonly<Record<string, string>>
}

export interface CommandOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface ImageBuildProgress {
  readonly step: string
  /** 0 to 1; null when it is not known. */
  readonly fraction: number | null
  readonly detail: string
}

/** One file of a build's context: its path there, and where its bytes are. */
export interface ContextFile {
  readonly path: string
  readonly source: string
  readonly executable: boolean
}

export interface BuildRequest {
  /** Holds a `Dockerfile` at its top. */
  readonly files: readonly ContextFile[]
  readonly tag: string
  readonly buildArguments: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly network: 'default' | 'host'
}

export interface ImportRequest {
  readonly tar: NodeJS.ReadableStream
  readonly tag: string
  /** Dockerfile lines (`ENV PATH=…`), since a root file system carries no metadata. */
  readonly changes: readonly string[]
}

export type OnBuildProgress = (progress: ImageBuildProgress) => void

export interface ContainerRuntime {
  info(): Promise<Result<EngineInfo, ContainerError>>
  /** Makes the container (or finds it, by name) and starts nothing: `start` does, once its terminal is held. */
  create(spec: ContainerSpec): Promise<Result<ContainerState, ContainerError>>
  /** Creates (or finds, by name) and starts; a second call for the same name starts nothing twice. */
  start(spec: ContainerSpec): Promise<Result<ContainerState, ContainerError>>
  inspect(idOrName: string): Promise<Result<ContainerState, ContainerError>>
  /** Settles when the container has ended, whatever the engine does meanwhile; `unreachable` after the patience. */
  wait(
    id: string,
    signal: AbortSignal,
    watch?: ContainerWatch,
  ): Promise<Result<ContainerState, ContainerError>>
  /** Takes hold of the terminal of a container that was made with one; before its start nothing of it is missed. */
  attach(id: string): Promise<Result<ContainerTerminal, ContainerError>>
  resize(id: string, size: TerminalSize): Promise<Result<void, ContainerError>>
  /** TERM, then KILL after `graceMs`. Ended or gone already is fine. */
  stop(id: string, graceMs: number): Promise<Result<void, ContainerError>>
  remove(id: string): Promise<Result<void, ContainerError>>
  /** Our own containers, by label; ended ones too. */
  listByLabel(label: string, value: string): Promise<Result<readonly ContainerState[], ContainerError>>
  /** Runs a short command in a fresh, networkless, read-only container and removes it; for `--version`. */
  runOnce(
    image: string,
    argv: readonly string[],
    timeoutMs: number,
  ): Promise<Result<CommandOutput, ContainerError>>
  findImage(reference: string): Promise<Result<ImageInfo | null, ContainerError>>
  /** Pulls a reference with progress; for bases on a normal workstation. */
  pullImage(
    reference: string,
    onProgress: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<ImageInfo, ContainerError>>
  /** Builds from files; what the build itself reports as an error is `build_failed`. */
  buildImage(
    request: BuildRequest,
    onProgress: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<ImageInfo, ContainerError>>
  /** Makes an image of a root file system in a tar stream. */
  importImage(request: ImportRequest, signal: AbortSignal): Promise<Result<ImageInfo, ContainerError>>
  /** Takes the name away, and the image with its last name; false, and nothing changes, while a container uses it. */
  removeImage(tag: string): Promise<Result<boolean, ContainerError>>
  /** The engine's network for agents (own bridge, no traffic between containers), made when missing. */
  ensureAgentNetwork(): Promise<Result<string, ContainerError>>
}
