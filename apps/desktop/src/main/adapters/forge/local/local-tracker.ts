import type { TrackerChange, TrackerError, TrackerIssue } from '@shared/contract/tracker'
import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import { parseIssueQuery } from '@main/core/forge/search-query'
import type { IssueListRequest, IssueRef, Tracker, TrackerResult } from '@main/ports/tracker'
import { listChangedFiles, readDiff } from '../../git/diff'
import { countCommits } from '../../git/refs'
import type { ChangeRow } from './change-store'
import { closeChange, mergeChange, proposeChange, refreshChanges } from './change-actions'
import * as issue from './issue-actions'
import { conflict, findLocalProject, type LocalContext, notFound, repositoryPath } from './local-context'
import { createProject, deleteProject } from './project-actions'
import { answerSqliteFailure } from './sqlite-failure'
import {
  toTrackerChangeRow,
  toTrackerComment,
  toTrackerIssue,
  toTrackerIssueRow,
  toTrackerPerson,
  toTrackerProject,
} from './tracker-views'

/** The people's side of the local forge: everything here is done as `context.you`. */
export function createLocalTracker(context: LocalContext): Tracker {
  const { stores, you } = context

  return {
    listProjects: () =>
      answer(() =>
        ok(
          context.forges
            .listProjects()
            .filter(({ forgeId }) => forgeId === context.forge.id)
            .map((project) => toTrackerProject(context, project)),
        ),
      ),
    createProject: (request, signal) =>
      answer(async () =>
        map(await createProject(context, request, signal), (project) => toTrackerProject(context, project)),
      ),
    deleteProject: (projectId) => answer(() => deleteProject(context, projectId)),

    listPeople: () =>
      answer(() => ok(stores.people.list().map((person) => toTrackerPerson(context, person)))),
    addPerson: ({ login, name }) =>
      answer(() => {
        if (stores.people.findByLogin(login) !== null)
          return err(conflict(`There is somebody with the login ${login} already.`))
        return ok(
          toTrackerPerson(context, stores.people.add({ login, name, email: null }, context.clock.now())),
        )
      }),
    listLabels: (projectId) =>
      inProject(projectId, (project) =>
        ok(stores.labels.list(project.id).map(({ name, color }) => ({ name, color }))),
      ),
    addLabelToProject: (projectId, { name, color }) =>
      inProject(projectId, (project) => {
        if (stores.labels.find(project.id, name) !== null)
          return err(conflict(`The project has a label ${name} already.`))
        stores.labels.ensure(project.id, [{ name, color }])
        return ok({ name, color })
      }),

    listIssues: (request) => answer(() => listIssues(context, request)),
    getIssue: (ref) =>
      inProject(ref.projectId, async (project) => {
        await refreshIfPossible(context, project)
        return readIssue(ref)
      }),
    createIssue: ({ projectId, ...text }) =>
      inProject(projectId, (project) =>
        map(issue.createIssue(context, project.id, text, you), (row) => toTrackerIssue(context, row)),
      ),
    editIssue: (ref, edit) =>
      answer(() => {
        const edited = issue.editIssue(context, ref, edit)
        return edited.ok ? readIssue(ref) : edited
      }),
    comment: (ref, body) =>
      answer(() =>
        map(issue.addComment(context, ref, body, you), (comment) => toTrackerComment(context, comment)),
      ),
    editComment: (ref, commentId, body, expectedUpdatedAt) =>
      answer(() =>
        map(issue.editComment(context, ref, { commentId, body, expectedUpdatedAt }), (comment) =>
          toTrackerComment(context, comment),
        ),
      ),
    addLabel: (ref, label) => answer(() => issue.addLabel(context, ref, label, you)),
    removeLabel: (ref, label) => answer(() => issue.removeLabel(context, ref, label, you)),
    assign: (ref, login) => answer(() => issue.setAssigned(context, ref, login, true)),
    unassign: (ref, login) => answer(() => issue.setAssigned(context, ref, login, false)),
    setOpen: (ref, isOpen) => answer(() => issue.setOpen(context, ref, isOpen)),

    listChanges: (projectId, state, limit) =>
      inProject(projectId, async (project) => {
        await refreshIfPossible(context, project)
        return ok(
          stores.changes.list(project.id, state, limit).map((change) => toTrackerChangeRow(context, change)),
        )
      }),
    getChange: (ref, maxDiffBytes) =>
      inProject(ref.projectId, (project) => readChange(context, project, ref.iid, maxDiffBytes)),
    mergeChange: (ref, options) =>
      inProject(ref.projectId, async (project) =>
        map(await mergeChange(context, project, ref.iid, options, you), (change) =>
          toTrackerChangeRow(context, change),
        ),
      ),
    openChange: (ref, change) =>
      inProject(ref.projectId, async (project) =>
        map(await proposeChange(context, project, { ...change, iid: ref.iid }, you), (opened) =>
          toTrackerChangeRow(context, opened),
        ),
      ),
    closeChange: (ref) =>
      inProject(ref.projectId, (project) =>
        map(closeChange(context, project, ref.iid), (change) => toTrackerChangeRow(context, change)),
      ),
  }

  function inProject<T>(
    projectId: Project['id'],
    step: (project: Project) => Result<T, TrackerError> | TrackerResult<T>,
  ): TrackerResult<T> {
    return answer(() => {
      const project = findLocalProject(context, projectId)
      return project.ok ? step(project.value) : project
    })
  }

  function readIssue(ref: IssueRef): Result<TrackerIssue, TrackerError> {
    return issue.withIssue(context, ref, (row) => ok(toTrackerIssue(context, row)))
  }
}

function listIssues(
  context: LocalContext,
  request: IssueListRequest,
): Result<
  { rows: ReturnType<typeof toTrackerIssueRow>[]; total: number; cursor: string | null },
  TrackerError
> {
  const after = /^(\d{1,15})-(\d{1,15})$/.exec(request.cursor ?? '')
  const { rows, total } = context.stores.search.search({
    projectId: request.projectId,
    query: parseIssueQuery(request.query),
    me: context.you.id,
    limit: request.limit + 1,
    after: after === null ? null : { updatedAt: Number(after[1]), id: Number(after[2]) },
  })
  const page = rows.slice(0, request.limit)
  const last = rows.length > request.limit ? page.at(-1) : undefined
  return ok({
    rows: page.map((row) => toTrackerIssueRow(context, row)),
    total,
    cursor: last === undefined ? null : `${last.updatedAt}-${last.id}`,
  })
}

async function readChange(
  context: LocalContext,
  project: Project,
  iid: number,
  maxDiffBytes: number,
): TrackerResult<TrackerChange> {
  await refreshIfPossible(context, project)
  const change = context.stores.changes.find(project.id, iid)
  if (change === null) return err(notFound(`change ${iid}`))
  const contents = await readContents(context, project, change, maxDiffBytes)
  return ok({
    ...toTrackerChangeRow(context, change),
    body: change.body,
    baseSha: change.baseSha,
    ...contents,
  })
}

/** Reading goes on with what was last known when git cannot be asked. */
async function refreshIfPossible(context: LocalContext, project: Project): Promise<void> {
  await refreshChanges(context, project)
}

type Contents = Pick<TrackerChange, 'commits' | 'files' | 'patch' | 'patchIsCut' | 'problem'>

/** A change is shown even when its commits cannot be read; then it says why. */
async function readContents(
  context: LocalContext,
  project: Project,
  change: ChangeRow,
  maxDiffBytes: number,
): Promise<Contents> {
  const unreadable = (problem: string): Contents => ({
    commits: null,
    files: null,
    patch: null,
    patchIsCut: false,
    problem,
  })
  const { baseSha, headSha } = change
  if (headSha === null) return unreadable(`The branch ${change.sourceBranch} is gone.`)
  if (baseSha === null)
    return unreadable(`${change.sourceBranch} and ${change.targetBranch} have no history in common.`)
  const folder = repositoryPath(context, project)
  const commits = await countCommits(context.runGit, folder, baseSha, headSha)
  if (!commits.ok) return unreadable(commits.error.message)
  const files = await listChangedFiles(context.runGit, folder, baseSha, headSha)
  if (!files.ok) return unreadable(files.error.message)
  const diff = await readDiff(context.runGit, folder, baseSha, headSha, maxDiffBytes)
  if (!diff.ok) return unreadable(diff.error.message)
  return {
    commits: commits.value,
    files: [...files.value],
    patch: diff.value.patch,
    patchIsCut: diff.value.cut,
    problem: null,
  }
}

function map<T, U>(result: Result<T, TrackerError>, to: (value: T) => U): Result<U, TrackerError> {
  return result.ok ? ok(to(result.value)) : result
}

async function answer<T>(step: () => Result<T, TrackerError> | TrackerResult<T>): TrackerResult<T> {
  try {
    return await step()
  } catch (error) {
    return err(answerSqliteFailure(error))
  }
}
