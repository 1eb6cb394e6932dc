import type { RestoreReport } from '@shared/contract/restore'
import type { StartFailure } from '@shared/contract/shell-bridge'
import type { Result } from '@shared/result'
import type { NotificationMessage } from '../../ports/notifications'
import type { SecretsError } from '../../ports/secrets'

/*
 * What goes between the window's thread and the engine's, both ways in order. Both are this very program, so nothing
 * is parsed; what the page asks is parsed by the dispatcher, as everywhere.
 */

/** What the engine's thread is begun with. */
export interface ThreadPlace {
  /** The data folder. */
  readonly home: string
}

/** What the thread is there for: the first message that it gets. */
export interface ThreadTask extends ThreadPlace {
  readonly task: 'engine' | 'restore'
  readonly resources: string
  readonly version: string
  readonly nativeBinding: string | undefined
  /** Whether the window's thread can ask a system keyring. */
  readonly hasKeyring: boolean
  readonly allowsDemonstration: boolean
  readonly checkOutput: boolean
}

/** From the window's thread. */
export type ToEngine =
  | { readonly type: 'invoke'; readonly id: number; readonly channel: string; readonly input: unknown }
  | { readonly type: 'subscribe'; readonly id: number; readonly channel: string; readonly key: unknown }
  | { readonly type: 'unsubscribe'; readonly id: number }
  /** The first picture stands: what waited for it may begin. */
  | { readonly type: 'begin_work' }
  | { readonly type: 'wake' }
  | { readonly type: 'close'; readonly containers: 'keep' | 'stop' }
  | { readonly type: 'secret'; readonly id: number; readonly answer: KeyringAnswer }

/** From the engine's thread. */
export type FromEngine =
  | { readonly type: 'started'; readonly result: Result<null, StartFailure> }
  | { readonly type: 'restored'; readonly result: Result<RestoreReport | null, StartFailure> }
  | { readonly type: 'answer'; readonly id: number; readonly result: Result<unknown, unknown> }
  | { readonly type: 'event'; readonly id: number; readonly event: unknown }
  | { readonly type: 'notify'; readonly message: NotificationMessage }
  | { readonly type: 'keyring'; readonly id: number; readonly request: KeyringRequest }
  | { readonly type: 'closed' }

/** Only the window's thread can ask the system keyring. */
export type KeyringRequest =
  | { readonly act: 'read' | 'remove'; readonly name: string }
  | { readonly act: 'write'; readonly name: string; readonly value: string }
export type KeyringAnswer = Result<string | null, SecretsError>

/** One end of the way between the threads: a Worker, its parent's port, or a MessagePort. */
export interface ThreadPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
}
