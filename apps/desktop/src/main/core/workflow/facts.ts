import type { MailboxId, RunId } from '@shared/model/ids'
import type { MarkerKind, NeedsYou, Outcome, Phase, Status } from '@shared/model/words'
import type { RunFailure } from '@shared/contract/runs'

/*
 * What the workflow's decisions are made from: what the forge says, read together, and what the store knows.
 * Hex sha256 comes in as a function, since this layer does no I/O.
 */

/** Lower-case hex sha256 of a text. */
export type Digest = (text: string) => string

export interface PersonFacts {
  /** The forge's user id. */
  readonly id: string
  readonly login: string
}

export interface CommentFacts {
  readonly id: string
  readonly author: PersonFacts
  readonly body: string
  /** Of a review, while it stands; none: a comment, or a review that was taken back. */
  readonly verdict?: ReviewVerdict
}

/** What a review says of the change as a whole. */
export type ReviewVerdict = 'approved' | 'changes_requested' | 'commented'

export interface LabelEventFacts {
  readonly id: string
  readonly label: string
  readonly action: 'added' | 'removed'
  readonly by: PersonFacts
  readonly at: number
}

export interface AssignmentFacts {
  readonly by: PersonFacts
  readonly at: number
}

export interface ChangeFacts {
  readonly iid: number
  readonly state: 'open' | 'merged' | 'closed'
  readonly hasConflicts: boolean
}

export interface IssueFacts {
  readonly iid: number
  readonly title: string
  readonly body: string
  readonly author: PersonFacts
  readonly labels: readonly string[]
  readonly assignees: readonly PersonFacts[]
  readonly isOpen: boolean
  readonly branchReference: string | null
  readonly createdAt: number
}

/** One whole read of an issue; a forge's snapshot fits as it is. */
export interface SnapshotFacts {
  readonly issue: IssueFacts
  /** Oldest first. */
  readonly comments: readonly CommentFacts[]
  readonly labelEvents: readonly LabelEventFacts[]
  readonly assignments: readonly AssignmentFacts[]
  /** Changes from the issue's branch, newest first. */
  readonly changes: readonly ChangeFacts[]
  readonly branchExists: boolean
  readonly headStatus: 'pending' | 'success' | 'failure' | null
}

export interface MailboxFacts {
  readonly id: MailboxId
  readonly title: string
  readonly status: Status | null
  readonly branchName: string | null
  readonly baseBranch: string | null
  readonly changeIid: number | null
  readonly isOpen: boolean
  readonly needsYou: NeedsYou | null
}

/** A run in a phase of the workflow; chat, terminal and answers beside it are none. */
export interface RunFacts {
  readonly id: RunId
  readonly uid: string
  readonly phase: Phase
  readonly isLive: boolean
  readonly outcome: Outcome | null
  readonly failure: RunFailure | null
}

/** One post to the forge, waiting or done. */
export interface PostFacts {
  readonly kind: 'comment' | 'status' | 'remove_label' | 'description' | 'push' | 'change' | 'delete_branch'
  /** Of a comment. */
  readonly markerKind: MarkerKind | null
  readonly state: 'waiting' | 'sending' | 'sent' | 'failed' | 'dropped'
  readonly runId: RunId | null
  /** The cause that it was made with. */
  readonly cause: string
  readonly remoteId: string | null
  readonly postedSha256: string | null
  readonly sentAt: number | null
}

export interface PlanFacts {
  readonly plan: string
  readonly runId: RunId
  readonly issueSha256: string
}

/** What a person validated: the plan that is in force, for an issue with these texts. */
export interface ApprovalFacts {
  readonly titleSha256: string
  readonly bodySha256: string
}

export interface WorkflowFacts {
  readonly now: number
  /** When reading the snapshot began: posts that were sent later are not in it. */
  readonly readAt: number
  readonly digest: Digest
  /** Alfred's own account on the forge. */
  readonly accountId: string
  readonly ownerIds: readonly string[]
  readonly snapshot: SnapshotFacts
  readonly mailbox: MailboxFacts
  /** Latest run in a phase of the workflow. */
  readonly latestRun: RunFacts | null
  /** The run of the mailbox that has not ended; null for a chat or a terminal, which nothing on the forge stops. */
  readonly liveRunId: RunId | null
  /** Whether a chat or a terminal has not ended. */
  readonly isTalking: boolean
  readonly plan: PlanFacts | null
  /** Of that plan; null: nobody has, or nobody has to. */
  readonly approval: ApprovalFacts | null
  /** All posts of the mailbox, oldest first. */
  readonly posts: readonly PostFacts[]
  readonly settings: {
    readonly triggerLabel: string | null
    readonly trustedPeople: readonly string[]
  }
  /** Whether Alfred deletes its branch once that is merged; on the local forge the person says so who merges. */
  readonly deletesBranch: boolean
  /** How long a change waits for its first commit status, in milliseconds. */
  readonly statusGraceMs: number
}

export const isUnfinished = (post: PostFacts): boolean => post.state === 'waiting' || post.state === 'sending'
