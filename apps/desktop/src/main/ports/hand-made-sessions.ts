import type { Result } from '@shared/result'
import type { AgentAdapter } from './agent-adapter'
import type { SandboxUser } from '../core/sandbox/sandbox-user'

/*
 * Sessions that a person made by hand with a CLI: found in a folder that the person picked, only read, and copied into
 * the state of an issue. Whoever wrote that folder: no link in it is followed, sizes are bounded, ids are checked.
 */

export type JsonRecord = Readonly<Record<string, unknown>>

/** What changes in a copy: the id, and the folder that the CLI worked in. */
export interface Rekeying {
  readonly fromId: string
  readonly toId: string
  /** null: not known. */
  readonly workedIn: string | null
}

export interface SessionDescription {
  readonly title: string | null
  /** The folder that the CLI worked in, as it wrote it. */
  readonly workedIn: string | null
}

/** Where a CLI keeps its sessions as files of JSON, and what of them is keyed by id or folder. All methods are pure. */
export interface HandMadeLayout {
  /** Where the sessions may lie below the picked folder, the likeliest first; `''` is the folder itself. */
  readonly places: readonly string[]
  /** The session's own file below a place, part by part; one of them has the group `id`. */
  readonly path: readonly RegExp[]
  /** Files of the same folder that belong to it. */
  readonly beside: readonly string[]
  /** Those of them without which the CLI does not open the session. */
  readonly needed: readonly string[]
  /** Without a record like this a copy would remember nothing. */
  isEssential(record: JsonRecord): boolean
  /** From some records of the session, the first and the last of its own file among them. */
  describe(records: readonly JsonRecord[]): SessionDescription
  /** Where a file lies in the state of an issue. `path` is the one below its place. */
  target(path: string, change: Rekeying): string
  /** The record as it is in the copy; the very same object where nothing changes, null where the copy has none. */
  rekey(record: JsonRecord, change: Rekeying): JsonRecord | null
}

/** How the sessions of a CLI are found and brought in. */
export type HandMade =
  | ({ readonly kind: 'files' } & HandMadeLayout)
  /** Rows of one database. */
  | {
      readonly kind: 'database'
      readonly places: readonly string[]
      /** The file in one of the places; it has that name in the state of an issue, too. */
      readonly target: string
      /** How a person makes one that is too large smaller, as a sentence. */
      readonly shrink: string
      /** The id of a fork, as the CLI writes ids. */
      forkId(fromId: string, uuid: string): string
    }

export interface FoundSession {
  readonly nativeId: string
  /** On one line, without control characters, cut. */
  readonly title: string | null
  readonly workedIn: string | null
  readonly bytes: number
  /** Epoch ms of the last save. */
  readonly savedAt: number
  /** Larger than what is copied. */
  readonly isTooLarge: boolean
  /** A file that is gone or holds nothing that can be read, without which the CLI does not open the session. */
  readonly lacks: string | null
}

export interface FoundSessions {
  /** The newest first. */
  readonly sessions: readonly FoundSession[]
  /** There are more than were listed or looked at. */
  readonly isCut: boolean
}

export interface FinderError {
  /** The first two are about the folder, the others about what the CLI keeps in it. */
  readonly type: 'not_a_folder' | 'not_readable' | 'too_large' | 'unreadable'
  readonly message: string
}

export interface StageError {
  readonly type: 'gone' | 'too_large' | 'unreadable'
  readonly message: string
}

/** A copy beside the data, not yet in the state of any issue. */
export interface StagedSession {
  /** Of the copy. */
  readonly bytes: number
  readonly title: string | null
  /** Records that could not be read, which the copy does not have. */
  readonly recordsLeftOut: number
  /** Where it lies until it is placed, as in a state folder. */
  readonly folder: string
  /**
   * Moves it into a state folder, which must be there, without waiting. Something else than folders and files may be in
   * the way, since an agent wrote there: then nothing is moved any more, and a sentence says so. null: it is there.
   */
  place(stateFolder: string): string | null
  /** Removes what is left of it; also after it was placed. */
  discard(): Promise<void>
}

export interface HandMadeSessions {
  /**
   * Reads only what the adapter's layout names. The folder is an absolute path. With `only`, that session alone is
   * looked for, however many others there are.
   */
  find(
    adapter: AgentAdapter,
    folder: string,
    only: string | null,
  ): Promise<Result<FoundSessions, FinderError>>
  /** Copies one of them; the CLI resumes the copy by `toId`. */
  stage(request: {
    readonly adapter: AgentAdapter
    readonly folder: string
    readonly fromId: string
    readonly toId: string
    /** Who will own the copy. */
    readonly user: SandboxUser
  }): Promise<Result<StagedSession, StageError>>
}
