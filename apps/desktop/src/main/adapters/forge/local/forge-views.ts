import type { TrackerError } from '@shared/contract/tracker'
import type {
  ForgeChange,
  ForgeComment,
  ForgeError,
  ForgeIssue,
  ForgeLabelEvent,
  ForgePerson,
} from '@main/ports/forge'
import type { ChangeRow } from './change-store'
import type { IssueRow } from './issue-store'
import type { LocalStores } from './local-stores'
import type { PersonRow } from './people-store'

/*
 * Rows as the engine sees them.
 */

export const toForgePerson = (person: PersonRow): ForgePerson => ({
  id: String(person.id),
  login: person.login,
  name: person.name,
})

const byId = (stores: LocalStores, id: number): ForgePerson => toForgePerson(stores.people.get(id))

export function toForgeIssue(stores: LocalStores, issue: IssueRow): ForgeIssue {
  return {
    iid: issue.iid,
    title: issue.title,
    body: issue.body,
    author: byId(stores, issue.authorId),
    labels: stores.labels.ofIssue(issue.id).map((label) => label.name),
    assignees: stores.issues.assigneesOf(issue.id).map((id) => byId(stores, id)),
    isOpen: issue.isOpen === 1,
    branchReference: issue.branchReference,
    createdAt: issue.createdAt,
    updatedAt: issue.updatedAt,
    url: null,
  }
}

export function forgeCommentsOf(stores: LocalStores, issueId: number): readonly ForgeComment[] {
  return stores.comments.ofIssue(issueId).map((comment) => ({
    id: String(comment.id),
    author: byId(stores, comment.authorId),
    body: comment.body,
    createdAt: comment.createdAt,
    updatedAt: comment.updatedAt,
  }))
}

export function forgeLabelEventsOf(stores: LocalStores, issueId: number): readonly ForgeLabelEvent[] {
  return stores.labels.eventsOf(issueId).map((event) => ({
    id: String(event.id),
    label: event.label,
    action: event.action,
    by: byId(stores, event.personId),
    at: event.at,
  }))
}

export function toForgeChange(stores: LocalStores, change: ChangeRow): ForgeChange {
  return {
    iid: change.iid,
    title: change.title,
    body: change.body,
    author: byId(stores, change.authorId),
    sourceBranch: change.sourceBranch,
    targetBranch: change.targetBranch,
    headSha: change.headSha,
    state: change.state,
    hasConflicts: change.hasConflicts === 1,
    mergedSha: change.mergedSha,
    createdAt: change.createdAt,
    updatedAt: change.updatedAt,
    url: null,
  }
}

export function toForgeError(error: TrackerError): ForgeError {
  switch (error.type) {
    case 'not_found':
      return { type: 'not_found', message: `There is no ${error.what}.`, retryable: false }
    case 'invalid':
      return { type: 'invalid', message: error.message, retryable: false }
    case 'conflict':
    case 'merge_conflicts':
      return { type: 'conflict', message: error.message, retryable: false }
    case 'git_failed':
    case 'storage_failed':
      return { type: 'unexpected', message: error.message, retryable: true }
  }
}
