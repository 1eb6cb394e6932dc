import type { Result } from '@shared/result'
import type { Project } from '@shared/model/records'

/*
 * What the engine needs of a forge. The contract suite in test/contract/forge.contract.ts holds every adapter to it.
 * Reads return whole answers or an error, never half a page.
 */

export type ForgeErrorType =
  | 'unreachable'
  | 'rate_limited'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'push_refused'
  | 'unexpected'

export interface ForgeError {
  readonly type: ForgeErrorType
  readonly message: string
  /** Whether the same call may succeed later without a person's help. */
  readonly retryable: boolean
  readonly retryAfterMs?: number
}

export interface ForgePerson {
  /** The forge's user id: logins can be renamed and reused. */
  readonly id: string
  readonly login: string
  readonly name: string
}

export interface ForgeIssue {
  readonly iid: number
  readonly title: string
  readonly body: string
  readonly author: ForgePerson
  readonly labels: readonly string[]
  readonly assignees: readonly ForgePerson[]
  readonly isOpen: boolean
  /** The branch that the issue names as its base, where the forge has such a field. */
  readonly branchReference: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** As the forge counts them; none or null: it does not. One that is deleted moves no time, but this. */
  readonly commentCount?: number | null
  readonly url: string | null
}

export interface ForgeComment {
  readonly id: string
  readonly author: ForgePerson
  readonly body: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Of a review, while it stands; none: a comment, or a review that was taken back. */
  readonly verdict?: 'approved' | 'changes_requested' | 'commented'
}

/** Somebody set or removed a label; setting one proves write access. */
export interface ForgeLabelEvent {
  readonly id: string
  readonly label: string
  readonly action: 'added' | 'removed'
  readonly by: ForgePerson
  readonly at: number
}

/** Somebody put a person on the issue; like a label, that proves write access. */
export interface ForgeAssignment {
  readonly by: ForgePerson
  readonly at: number
}

export type ChangeState = 'open' | 'merged' | 'closed'

export interface ForgeChange {
  readonly iid: number
  readonly title: string
  readonly body: string
  readonly author: ForgePerson
  readonly sourceBranch: string
  readonly targetBranch: string
  readonly headSha: string | null
  readonly state: ChangeState
  readonly hasConflicts: boolean
  readonly mergedSha: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** See `ForgeIssue`. */
  readonly commentCount?: number | null
  readonly url: string | null
}

/** All of an issue that one decision needs, read together. */
export interface ForgeIssueSnapshot {
  readonly issue: ForgeIssue
  readonly comments: readonly ForgeComment[]
  readonly labelEvents: readonly ForgeLabelEvent[]
  /** Oldest first; empty where the forge keeps none. */
  readonly assignments: readonly ForgeAssignment[]
  /** Ids of people named here who own the repository; an organization owns nothing in this sense. */
  readonly ownerIds: readonly string[]
  /** Changes whose source branch is `branch`, newest first; empty when no branch was given. */
  readonly changes: readonly ForgeChange[]
  readonly branchExists: boolean
  /** Whether the head of the newest open change has any commit status, folded; null: none. */
  readonly headStatus: 'pending' | 'success' | 'failure' | null
}

/** What of a change may be news to whoever waits at it. */
export type ChangeLook = Pick<
  ForgeChange,
  'iid' | 'state' | 'headSha' | 'hasConflicts' | 'updatedAt' | 'commentCount'
>

/** What of the issue itself may be, without moving it: a label or a comment that was deleted. */
export type IssueLook = Pick<ForgeIssue, 'labels' | 'updatedAt' | 'commentCount'>

/** One request each, of which the answer says whether the issue has to be read whole. */
export interface ChangeLooks {
  /** A conflict that the forge is still checking for counts as one. */
  change(project: Project, changeIid: number): Promise<Result<ChangeLook, ForgeError>>
  /** The commit statuses of a head, folded. */
  checks(project: Project, headSha: string): Promise<Result<ForgeIssueSnapshot['headStatus'], ForgeError>>
  issue(project: Project, iid: number): Promise<Result<IssueLook, ForgeError>>
}

export interface IssuePage {
  readonly issues: readonly ForgeIssue[]
  /** Opaque position for the next call; lose-nothing: an issue changed meanwhile comes again. */
  readonly cursor: string
  readonly hasMore: boolean
}

/** Where git fetches and pushes. `credential` is given to git's credential helper for exactly this URL. */
export interface GitRemote {
  readonly url: string
  readonly credential: { readonly username: string; readonly password: string } | null
  /** File with the certificates that git trusts for this host, instead of the usual ones. */
  readonly caFile?: string | null
}

export interface Forge {
  /** Alfred's own account there. */
  account(): Promise<Result<ForgePerson, ForgeError>>
  /**
   * Open and closed issues changed since the cursor (null: from the start), oldest change first. `leavesEdits`: edits of
   * comments may come with a later call, where asking for them is a request of its own.
   */
  listChangedIssues(
    project: Project,
    cursor: string | null,
    how?: { readonly leavesEdits: boolean },
  ): Promise<Result<IssuePage, ForgeError>>
  readIssue(
    project: Project,
    iid: number,
    branch: string | null,
  ): Promise<Result<ForgeIssueSnapshot, ForgeError>>
  /** For what moves no issue: checks, conflicts. None: here reading an issue whole costs no requests. */
  readonly looks?: ChangeLooks
  /** Sets exactly one `status::` label (null: none), leaving all others alone. Idempotent. */
  setStatus(project: Project, iid: number, status: string | null): Promise<Result<void, ForgeError>>
  removeLabel(project: Project, iid: number, label: string): Promise<Result<void, ForgeError>>
  /** Returns the new comment's id. Callers search for their marker first, so a repeat posts nothing twice. */
  addComment(project: Project, iid: number, body: string): Promise<Result<string, ForgeError>>
  /** Replaces the description if it still is `expected`; else `conflict`. */
  editDescription(
    project: Project,
    iid: number,
    expected: string,
    body: string,
  ): Promise<Result<void, ForgeError>>
  /** Opens a change for the branch, or returns the open one that is there already. */
  openChange(
    project: Project,
    change: {
      readonly title: string
      readonly body: string
      readonly sourceBranch: string
      readonly targetBranch: string
      readonly closesIid: number
    },
  ): Promise<Result<ForgeChange, ForgeError>>
  /** Closes a change without merging it and leaves its branch; one that is closed or merged stays as it is. */
  closeChange(project: Project, changeIid: number): Promise<Result<void, ForgeError>>
  /** Whether an open change, anybody's, comes from the branch or goes to it: with the branch it would be closed. */
  isInOpenChange(project: Project, branch: string): Promise<Result<boolean, ForgeError>>
  remote(project: Project): Promise<Result<GitRemote, ForgeError>>
}
