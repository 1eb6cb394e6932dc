import type { AgentAdapter } from '../ports/agent-adapter'
import type { Clock } from '../ports/clock'
import type { Notifier } from '../ports/notifications'
import type { SecretBackend } from '../adapters/secrets/secret-backend'

/** What the services act through; everything that outlives the process goes through one of them. */
export type ActingPort =
  | 'store'
  | 'docker'
  | 'host'
  | 'git'
  | 'forge'
  | 'files'
  | 'folders'
  | 'sandboxFiles'
  | 'states'

/** Puts something around a port. It must keep what the port does. */
export type AroundPort = <P extends object>(name: ActingPort, port: P) => P

/** What an engine is made of that its surroundings decide. */
export interface EngineOptions {
  /** See adapters/system/data-folder; made when it is missing. */
  readonly dataFolder: string
  readonly kind: 'desktop' | 'headless'
  /** Entry, agent image and demo agent: real files, since the engine of containers mounts and reads them. */
  readonly resourcesFolder: string
  readonly version: string
  readonly notifier: Notifier
  /** `works`: polls, queues and runs; `answers`: only answers from the database, and touches no container. */
  readonly work: 'works' | 'answers'
  /**
   * The work begins when this is done, at once where it is not given or runs are live: a window wants its first
   * picture before anything asks Docker or reads forges.
   */
  readonly workAfter?: Promise<unknown>
  /** How the person started this process, for whoever finds the data in use. */
  readonly command?: string
  readonly nativeBinding?: string | undefined
  /** The desktop's keyring; a headless owner has none. */
  readonly keyring?: SecretBackend
  /** Tests: every project may use `demo` and `fake`, and adapters can be replaced. */
  readonly allowsDemonstration?: boolean
  readonly adapters?: readonly AgentAdapter[]
  readonly clock?: Clock
  /** What is kept free on the disk of the data folder, in bytes; 2 GB where it is not given. */
  readonly diskReserveBytes?: number
  /** Parses everything that leaves the engine; on in development and tests. */
  readonly checkOutput?: boolean
  /** Tests: sees each act of the engine, and can end the process exactly between two of them. */
  readonly aroundPort?: AroundPort
  /** A window asked for the data and has it now: the process should end. */
  readonly onHandedOver?: () => void
}
