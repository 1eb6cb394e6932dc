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

export type PutAside =
  | { readonly type: 'put_aside' | 'not_there' }
  /** The database can be read, and was left alone. */
  | { readonly type: 'whole' }
  /** Whether it can be read could not be found out, or it cannot and the rename failed; `why` is what the system says. */
  | { readonly type: 'not_looked_at' | 'not_renamed'; readonly why: string }

export interface SessionStates {
  /** `file` is relative to the folder (the adapter's `sessionFile`, `*` included); null: look at the whole folder. */
  look(folder: string, file: string | null): Promise<SessionStateLook>
  /**
   * Bytes of every session's own file, by its id. `file` is that of one session, with `{id}` in the place of its id;
   * whatever else lies there is left out.
   */
  list(folder: string, file: string): Promise<Readonly<Record<string, number>>>
  /** Lines of a session's file behind its first `from` bytes, at most the last 16 MB of them; none where it is gone. */
  linesBehind(folder: string, file: string, from: number): Promise<readonly string[]>
  /**
   * The whole folder gets another name beside its own, so that sessions can begin anew: only where a look at its
   * database `file` shows that no run can read it.
   */
  putAside(folder: string, file: string): Promise<PutAside>
  /** Deletes one session's file; false when it was not there. For the demo and for people, never for a run. */
  removeFile(folder: string, file: string): Promise<boolean>
}
