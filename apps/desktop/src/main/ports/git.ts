import type { Result } from '@shared/result'
import type { GitRemote } from './forge'

/*
 * Git on the host: only in the app's own bare repositories, never in a workspace, without user or system
 * configuration, hooks or templates.
 */

export type GitErrorType =
  | 'git_missing'
  | 'remote_unreachable'
  | 'remote_refused'
  | 'unauthorized'
  | 'not_found'
  | 'moved'
  | 'bundle_refused'
  | 'disk_full'
  | 'unexpected'

export interface GitError {
  readonly type: GitErrorType
  /** Redacted; git's own words where they help. */
  readonly message: string
}

export interface DiffFile {
  readonly path: string
  readonly oldPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed'
  /** null for binary files. */
  readonly added: number | null
  readonly deleted: number | null
}

/** Work that lies in a mailbox's repository and nowhere else. */
export interface WorkHere {
  /** Commits that were never pushed. */
  readonly commits: number
  /** Paths of uncommitted work that was kept; some of them when there are very many. */
  readonly keptFiles: readonly string[]
}

/** The app-owned bare repository of one mailbox (kept and unpushed work lies in none that another mailbox mounts). */
export interface MailboxRepository {
  readonly path: string
  /** Fetches the remote's branches (pruned) into `refs/remotes/origin/*`. */
  fetch(remote: GitRemote, signal: AbortSignal): Promise<Result<void, GitError>>
  /** Sha of a branch of the remote as last fetched, or of our own `refs/heads/<branch>`; null when absent. */
  remoteBranch(branch: string): Promise<Result<string | null, GitError>>
  ownBranch(branch: string): Promise<Result<string | null, GitError>>
  /** Moves `refs/heads/<branch>` of the bare repository; `expected` null means it must not exist. */
  setOwnBranch(branch: string, sha: string, expected: string | null): Promise<Result<void, GitError>>
  deleteOwnBranch(branch: string): Promise<Result<void, GitError>>
  /**
   * Takes commits out of an untrusted bundle copy: into a quarantine repository, checked (fsck, exactly the
   * issue's branch, descends from `baseSha`), from there into `refs/alfred/runs/<runUid>`. Returns the head.
   */
  acceptBundle(request: {
    readonly bundlePath: string
    readonly branch: string
    readonly baseSha: string
    readonly runUid: string
    readonly maxBytes: number
    readonly signal: AbortSignal
  }): Promise<Result<{ readonly headSha: string; readonly commits: number }, GitError>>
  /** Keeps a `kept.bundle` commit under `refs/alfred/kept/<runUid>`, with the same checks. */
  keepBundle(request: {
    readonly bundlePath: string
    readonly baseSha: string
    readonly runUid: string
    readonly maxBytes: number
    readonly signal: AbortSignal
  }): Promise<Result<string, GitError>>
  /**
   * Pushes exactly one branch; `expected` is what the remote must still have (null: absent). From then on the branch is
   * known to be there, as after a fetch.
   */
  push(
    remote: GitRemote,
    branch: string,
    sha: string,
    expected: string | null,
    signal: AbortSignal,
  ): Promise<Result<void, GitError>>
  /** Where a branch of the remote stands now; null: it is not there. What was fetched stays as it is. */
  lookAtBranch(
    remote: GitRemote,
    branch: string,
    signal: AbortSignal,
  ): Promise<Result<string | null, GitError>>
  /** The branch that the remote calls its default one; null: it says none, or has no commit yet. */
  lookAtDefaultBranch(remote: GitRemote, signal: AbortSignal): Promise<Result<string | null, GitError>>
  /** Deletes one branch of the remote, if it still is at `expected`: else `moved`, and one that is gone is done. */
  deleteBranch(
    remote: GitRemote,
    branch: string,
    expected: string,
    signal: AbortSignal,
  ): Promise<Result<void, GitError>>
  /**
   * Takes commits that the forge does not have off the issue's branch: the next run begins without them. `keepAs`:
   * the run under whose uid they stay, at the ref that is returned; null: they are thrown away, with what led to them.
   */
  takeOffBranch(
    branch: string,
    headSha: string,
    keepAs: string | null,
  ): Promise<Result<string | null, GitError>>
  changedFiles(baseSha: string, headSha: string): Promise<Result<readonly DiffFile[], GitError>>
  /** Every path that a commit of `baseSha..headSha` touches, also where a later one undoes it; a rename has both names. */
  touchedPaths(baseSha: string, headSha: string): Promise<Result<readonly string[], GitError>>
  /** What the commits of `baseSha..headSha` say, newest first. */
  commitMessages(
    baseSha: string,
    headSha: string,
  ): Promise<Result<readonly { readonly sha: string; readonly message: string }[], GitError>>
  /** Where two commits parted; null when they share nothing. */
  mergeBase(one: string, other: string): Promise<Result<string | null, GitError>>
  /** Unified diff, cut at `maxBytes`. */
  diff(
    baseSha: string,
    headSha: string,
    maxBytes: number,
  ): Promise<Result<{ readonly patch: string; readonly cut: boolean }, GitError>>
  /** What neither the forge (as last fetched) has nor `pushedShas`. */
  workHere(pushedShas: readonly string[]): Promise<Result<WorkHere, GitError>>
  commitCount(baseSha: string, headSha: string): Promise<Result<number, GitError>>
}

export interface Git {
  version(): Promise<Result<string, GitError>>
  /** Opens the mailbox's bare repository, made when missing. `folder` lies in the data folder. */
  openMailboxRepository(folder: string): Promise<Result<MailboxRepository, GitError>>
  /** Checks a branch name by git's own rule. */
  isValidBranchName(name: string): boolean
}
