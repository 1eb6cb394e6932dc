import type { StatePreflight } from '@main/core/session/resolve-session'

/*
 * A look at the session state of one adapter and issue. The agent wrote it: nothing is followed, changed or trusted.
 */

export interface SessionStateLook {
  /** Whether the session's own file is there and its first record readable; `unknown` when the CLI has no such file. */
  readonly preflight: StatePreflight
  /** Bytes of the session's own file, or of the whole folder where only that is known; null when nothing is there. */
  readonly bytes: number | null
  /** Epoch ms of the last save; null when nothing is there. */
  readonly savedAt: number | null
  /** It is there and can be read, but the CLI may not write it: a session that goes on could save nothing. */
  readonly isReadOnly: boolean
}

export interface SessionStates {
  /** `file` is relative to the folder (the adapter's `sessionFile`, `*` included); null: look at the whole folder. */
  look(folder: string, file: string | null): Promise<SessionStateLook>
  /** Lines of a session's file behind its first `from` bytes, at most the last 16 MB of them; none where it is gone. */
  linesBehind(folder: string, file: string, from: number): Promise<readonly string[]>
  /** The whole folder gets another name beside its own, so that sessions can begin anew; nothing where it is gone. */
  putAside(folder: string): Promise<void>
  /** Deletes one session's file; false when it was not there. For the demo and for people, never for a run. */
  removeFile(folder: string, file: string): Promise<boolean>
}
