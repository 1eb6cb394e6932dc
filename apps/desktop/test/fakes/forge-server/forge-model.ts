/*
 * What a forge holds, in memory. Times are epoch milliseconds; the servers answer whole seconds.
 */

export type Role = 'read' | 'write' | 'admin'

export interface ForgeUser {
  readonly id: number
  login: string
  fullName: string
  email: string
  isAdmin: boolean
  readonly isOrganization: boolean
  readonly createdAt: number
  /** Signing in is refused: why. */
  refusal: 'prohibited' | 'inactive' | 'must_change_password' | null
  /** Ids of the people that this person blocked. */
  readonly blocked: Set<number>
  readonly password: string
  /** Labels of an organization. */
  readonly labels: ForgeLabel[]
  /** Members of an organization and what they may do in each of its repositories. */
  readonly members: Map<number, Role>
}

export interface ForgeToken {
  readonly id: number
  readonly name: string
  readonly secret: string
  readonly userId: number
  readonly scopes: readonly string[]
  isRevoked: boolean
}

export interface ForgeLabel {
  readonly id: number
  name: string
  color: string
  description: string
  isExclusive: boolean
  isArchived: boolean
}

export interface Protection {
  /** A branch's name or a pattern with `*`. */
  readonly rule: string
  readonly canPush: boolean
  readonly requiredApprovals: number
  readonly statusContexts: readonly string[]
}

export interface CommitStatus {
  readonly id: number
  readonly sha: string
  readonly context: string
  readonly state: string
  readonly description: string
  readonly targetUrl: string
  readonly creatorId: number
  readonly at: number
}

export interface ForgeRepository {
  readonly id: number
  owner: ForgeUser
  name: string
  isPrivate: boolean
  archivedAt: number | null
  defaultBranch: string
  hasIssues: boolean
  hasPulls: boolean
  isDeleted: boolean
  readonly createdAt: number
  updatedAt: number
  /** Given to this repository itself, not through an organization. */
  readonly collaborators: Map<number, Role>
  readonly labels: ForgeLabel[]
  readonly issues: ForgeIssue[]
  nextNumber: number
  readonly protections: Protection[]
  readonly statuses: CommitStatus[]
  readonly parent: ForgeRepository | null
  readonly forks: ForgeRepository[]
  /** What the API knows of the branches; git may know more for a moment. */
  branches: Map<string, string>
  watchers: number
  /** Else a merge commit is as welcome. */
  onlySquashes: boolean
}

export interface ForgeIssue {
  readonly id: number
  readonly number: number
  readonly repository: ForgeRepository
  readonly author: ForgeUser
  title: string
  body: string
  /** The branch that it is about, as it was sent; not recorded. */
  ref: string
  contentVersion: number
  labels: ForgeLabel[]
  assignees: ForgeUser[]
  isOpen: boolean
  isLocked: boolean
  dueAt: number | null
  readonly createdAt: number
  updatedAt: number
  closedAt: number | null
  /** Comments and events, oldest first. */
  readonly entries: TimelineEntry[]
  readonly dependsOn: ForgeIssue[]
  readonly pull: ForgePull | null
}

export interface TimelineEntry {
  readonly id: number
  readonly type: string
  readonly user: ForgeUser
  body: string
  readonly createdAt: number
  updatedAt: number
  readonly label?: ForgeLabel
  readonly assignee?: ForgeUser
  readonly isRemoval?: boolean
  readonly titles?: readonly [before: string, after: string]
  readonly branch?: string
  readonly reference?: {
    readonly issue: ForgeIssue
    readonly comment?: TimelineEntry
    readonly closes: boolean
  }
  readonly commitSha?: string
  readonly reviewId?: number
}

export interface ForgePull {
  readonly id: number
  readonly headRepository: ForgeRepository
  readonly head: string
  base: string
  headSha: string
  /** What the head grew from, and where the base stood; frozen by the merge. */
  baseSha: string
  mergeBase: string
  isHeadGone: boolean
  mergedAt: number | null
  mergedBy: ForgeUser | null
  mergeSha: string | null
  readonly reviews: ForgeReview[]
}

export interface ReviewComment {
  readonly id: number
  readonly body: string
  readonly path: string
  readonly position: number
  readonly originalPosition: number
  readonly hunk: string
  readonly commitSha: string
  resolver: ForgeUser | null
}

export interface ForgeReview {
  readonly id: number
  readonly user: ForgeUser
  state: string
  readonly body: string
  readonly commitSha: string
  isOfficial: boolean
  isDismissed: boolean
  readonly at: number
  readonly comments: readonly ReviewComment[]
  /** Of its entry in the timeline; null: a request. */
  readonly entryId: number | null
}
