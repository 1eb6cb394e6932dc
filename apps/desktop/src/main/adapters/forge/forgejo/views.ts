import type {
  ForgeAssignment,
  ForgeChange,
  ForgeComment,
  ForgeIssue,
  ForgeLabelEvent,
} from '@main/ports/forge'
import { repositoryUrl } from './base-url'
import type { Comment, Issue, Pull, TimelineEntry } from './parsers'

/*
 * Answers as the engine sees them. Addresses are built from the configured base: those in answers may name another
 * host.
 */

/** Where the pages of a repository lie. */
export interface Place {
  readonly baseUrl: string
  readonly fullName: string
}

const pageOf = ({ baseUrl, fullName }: Place, kind: 'issues' | 'pulls', number: number): string =>
  `${repositoryUrl(baseUrl, fullName)}/${kind}/${number}`

export const toForgeIssue = (issue: Issue, place: Place): ForgeIssue => ({
  iid: issue.number,
  title: issue.title,
  body: issue.body,
  author: issue.user,
  labels: issue.labels.map(({ name }) => name),
  assignees: issue.assignees,
  isOpen: issue.state === 'open',
  branchReference: issue.ref.replace(/^refs\/(heads|tags)\//, '') || null,
  createdAt: issue.created_at,
  updatedAt: issue.updated_at,
  commentCount: issue.comments ?? null,
  url: pageOf(place, 'issues', issue.number),
})

export const toForgeComment = (comment: Comment): ForgeComment => ({
  id: String(comment.id),
  author: comment.user,
  body: comment.body,
  createdAt: comment.created_at,
  updatedAt: comment.updated_at,
})

/** A label that was deleted took its name along: who had set it can no longer be told. */
export function toLabelEvent(entry: TimelineEntry): ForgeLabelEvent | null {
  if (entry.type !== 'label' || !entry.label) return null
  return {
    id: String(entry.id),
    label: entry.label.name,
    action: entry.body === '1' ? 'added' : 'removed',
    by: entry.user,
    at: entry.created_at,
  }
}

export const toAssignment = (entry: TimelineEntry): ForgeAssignment | null =>
  entry.type === 'assignees' && entry.removed_assignee !== true
    ? { by: entry.user, at: entry.created_at }
    : null

/** null: the branch lies in a fork, or the fork is gone. */
export function sourceBranchOf({ head, base }: Pull): string | null {
  const isOwn = head.repo_id === base.repo_id
  // In a label of this very repository a user is not named; some servers name it all the same.
  return isOwn ? head.label || head.ref.replace(/^refs\/heads\//, '') : null
}

export const toForgeChange = (
  pull: Pull,
  place: Place,
  facts: { readonly sourceBranch: string; readonly hasConflicts: boolean },
): ForgeChange => ({
  iid: pull.number,
  title: pull.title,
  body: pull.body,
  author: pull.user,
  sourceBranch: facts.sourceBranch,
  targetBranch: pull.base.ref,
  headSha: pull.head.sha || null,
  state: pull.merged === true ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
  hasConflicts: facts.hasConflicts,
  mergedSha: pull.merged === true ? (pull.merge_commit_sha ?? null) : null,
  createdAt: pull.created_at,
  updatedAt: pull.updated_at,
  commentCount: pull.comments ?? null,
  url: pageOf(place, 'pulls', pull.number),
})
