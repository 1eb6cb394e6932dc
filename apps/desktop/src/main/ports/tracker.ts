import type {
  TrackerChange,
  TrackerChangeRow,
  TrackerComment,
  TrackerError,
  TrackerIssue,
  TrackerIssuePage,
  TrackerLabel,
  TrackerPerson,
  TrackerProject,
} from '@shared/contract/tracker'
import type { ProjectId } from '@shared/model/ids'
import type { Result } from '@shared/result'

/*
 * The local forge as its people use it. Every change is made as the person of this computer; what Alfred does goes
 * through the port `Forge`. Inputs are checked by the contract before they come here.
 */

export interface IssueRef {
  readonly projectId: ProjectId
  readonly iid: number
}

export interface NewProject {
  readonly organization: string
  readonly name: string
  readonly source:
    | {
        readonly kind: 'empty'
        /** Text by path for the first commit; without it a README. */
        readonly files?: Readonly<Record<string, string>> | undefined
      }
    | { readonly kind: 'import'; readonly path: string }
  readonly isDemo?: boolean | undefined
}

export interface NewIssue {
  readonly projectId: ProjectId
  readonly title: string
  readonly body: string
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
}

export interface IssueEdit {
  readonly title?: string | undefined
  readonly body?: string | undefined
  /** `updatedAt` of what the person saw; null writes over whatever is there. */
  readonly expectedUpdatedAt: number | null
}

export interface IssueListRequest {
  readonly projectId: ProjectId | null
  readonly query: string
  readonly limit: number
  readonly cursor: string | null
}

export type TrackerResult<T> = Promise<Result<T, TrackerError>>

export interface Tracker {
  listProjects(): TrackerResult<readonly TrackerProject[]>
  createProject(project: NewProject, signal?: AbortSignal): TrackerResult<TrackerProject>
  deleteProject(projectId: ProjectId): TrackerResult<void>

  listPeople(): TrackerResult<readonly TrackerPerson[]>
  addPerson(person: { readonly login: string; readonly name: string }): TrackerResult<TrackerPerson>
  listLabels(projectId: ProjectId): TrackerResult<readonly TrackerLabel[]>
  addLabelToProject(projectId: ProjectId, label: TrackerLabel): TrackerResult<TrackerLabel>

  listIssues(request: IssueListRequest): TrackerResult<TrackerIssuePage>
  getIssue(ref: IssueRef): TrackerResult<TrackerIssue>
  createIssue(issue: NewIssue): TrackerResult<TrackerIssue>
  editIssue(ref: IssueRef, edit: IssueEdit): TrackerResult<TrackerIssue>
  comment(ref: IssueRef, body: string): TrackerResult<TrackerComment>
  editComment(
    ref: IssueRef,
    commentId: string,
    body: string,
    expectedUpdatedAt: number | null,
  ): TrackerResult<TrackerComment>
  addLabel(ref: IssueRef, label: string): TrackerResult<void>
  removeLabel(ref: IssueRef, label: string): TrackerResult<void>
  assign(ref: IssueRef, login: string): TrackerResult<void>
  unassign(ref: IssueRef, login: string): TrackerResult<void>
  setOpen(ref: IssueRef, isOpen: boolean): TrackerResult<void>

  listChanges(
    projectId: ProjectId,
    state: 'open' | 'merged' | 'closed' | 'all',
    limit: number,
  ): TrackerResult<readonly TrackerChangeRow[]>
  getChange(ref: IssueRef, maxDiffBytes: number): TrackerResult<TrackerChange>
  mergeChange(
    ref: IssueRef,
    options: { readonly expectedHeadSha: string | null; readonly deleteSourceBranch: boolean },
  ): TrackerResult<TrackerChangeRow>
  /** A change of the person from `branch` to the default branch, which closes the issue. */
  openChange(
    ref: IssueRef,
    change: { readonly branch: string; readonly title: string | null },
  ): TrackerResult<TrackerChangeRow>
  closeChange(ref: IssueRef): TrackerResult<TrackerChangeRow>
}
