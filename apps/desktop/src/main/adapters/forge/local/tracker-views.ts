import type {
  TrackerChangeRow,
  TrackerComment,
  TrackerIssue,
  TrackerIssueRow,
  TrackerLabelEvent,
  TrackerPerson,
  TrackerProject,
} from '@shared/contract/tracker'
import type { ProjectId } from '@shared/model/ids'
import { projectIdSchema } from '@shared/model/ids'
import type { Project } from '@shared/model/records'
import type { ChangeRow } from './change-store'
import type { CommentRow } from './comment-store'
import type { IssueRow } from './issue-store'
import { type LocalContext, repositoryPath } from './local-context'
import type { PersonRow } from './people-store'

/*
 * Rows as the window and `alfred issue` see them.
 */

export function toTrackerProject(context: LocalContext, project: Project): TrackerProject {
  return {
    id: project.id,
    organization: context.forges.getOrganization(project.organizationId).slug,
    slug: project.slug,
    defaultBranch: project.defaultBranch,
    isDemo: project.isDemo,
    isWatched: project.isWatched,
    remotePath: repositoryPath(context, project),
    openIssues: context.stores.issues.countOpen(project.id),
    openChanges: context.stores.changes.countOpen(project.id),
  }
}

export function toTrackerPerson(context: LocalContext, person: PersonRow): TrackerPerson {
  return {
    id: String(person.id),
    login: person.login,
    name: person.name,
    isAlfred: person.id === context.alfred.id,
    isYou: person.id === context.you.id,
  }
}

const personById = (context: LocalContext, id: number): TrackerPerson =>
  toTrackerPerson(context, context.stores.people.get(id))

/** The rows of one project hold its id as a plain number. */
const projectIdOf = (row: { readonly projectId: number }): ProjectId => projectIdSchema.parse(row.projectId)

export function toTrackerIssueRow(context: LocalContext, issue: IssueRow): TrackerIssueRow {
  const { stores } = context
  return {
    projectId: projectIdOf(issue),
    iid: issue.iid,
    title: issue.title,
    isOpen: issue.isOpen === 1,
    labels: stores.labels.ofIssue(issue.id).map(({ name, color }) => ({ name, color })),
    assignees: stores.issues.assigneesOf(issue.id).map((id) => personById(context, id)),
    author: personById(context, issue.authorId),
    comments: stores.comments.count(issue.id),
    createdAt: issue.createdAt,
    updatedAt: issue.updatedAt,
  }
}

export function toTrackerIssue(context: LocalContext, issue: IssueRow): TrackerIssue {
  const { stores } = context
  return {
    ...toTrackerIssueRow(context, issue),
    body: issue.body,
    commentList: stores.comments.ofIssue(issue.id).map((comment) => toTrackerComment(context, comment)),
    labelEvents: stores.labels.eventsOf(issue.id).map((event): TrackerLabelEvent => ({
      id: String(event.id),
      label: event.label,
      action: event.action,
      by: personById(context, event.personId),
      at: event.at,
    })),
    changes: stores.changes
      .listClosing(issue.projectId, issue.iid)
      .map((change) => toTrackerChangeRow(context, change)),
  }
}

export function toTrackerComment(context: LocalContext, comment: CommentRow): TrackerComment {
  return {
    id: String(comment.id),
    author: personById(context, comment.authorId),
    body: comment.body,
    createdAt: comment.createdAt,
    updatedAt: comment.updatedAt,
  }
}

export function toTrackerChangeRow(context: LocalContext, change: ChangeRow): TrackerChangeRow {
  return {
    projectId: projectIdOf(change),
    iid: change.iid,
    title: change.title,
    author: personById(context, change.authorId),
    sourceBranch: change.sourceBranch,
    targetBranch: change.targetBranch,
    closesIid: change.closesIid,
    state: change.state,
    hasConflicts: change.hasConflicts === 1,
    headSha: change.headSha,
    mergedSha: change.mergedSha,
    createdAt: change.createdAt,
    updatedAt: change.updatedAt,
  }
}
