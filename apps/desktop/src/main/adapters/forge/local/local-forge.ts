import { existsSync } from 'node:fs'
import type { TrackerError } from '@shared/contract/tracker'
import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import { alfredLabels, toStatusLabel } from '@main/core/forge/labels'
import type { Forge, ForgeError, ForgeIssueSnapshot, IssuePage } from '@main/ports/forge'
import { gitFailed, type LocalContext, notFound, repositoryPath } from './local-context'
import { readBranches } from './branch-view'
import { closeChange, openChange, refreshChanges } from './change-actions'
import {
  forgeCommentsOf,
  forgeLabelEventsOf,
  toForgeChange,
  toForgeError,
  toForgeIssue,
  toForgePerson,
} from './forge-views'
import { addComment, removeLabel, setStatusLabel, withIssue } from './issue-actions'
import { answerSqliteFailure } from './sqlite-failure'

const pageSize = 100

/** For a status that this version does not know. */
const unknownStatusColor = '#64748b'

/** The engine's side of the local forge: everything here is done as Alfred's own account. */
export function createLocalForge(context: LocalContext): Forge {
  const { stores, alfred } = context
  const ref = (project: Project, iid: number): { projectId: Project['id']; iid: number } => ({
    projectId: project.id,
    iid,
  })

  return {
    account: () => answer(() => ok(toForgePerson(alfred))),
    listChangedIssues: (project, cursor) => answer(() => listChanged(context, project, cursor)),
    readIssue: (project, iid, branch) => answer(() => readSnapshot(context, project, iid, branch)),
    setStatus: (project, iid, status) =>
      answer(() =>
        setStatusLabel(context, ref(project, iid), status === null ? null : statusLabel(status), alfred),
      ),
    removeLabel: (project, iid, label) =>
      answer(() => removeLabel(context, ref(project, iid), label, alfred)),
    addComment: (project, iid, body) =>
      answer(() => {
        const comment = addComment(context, ref(project, iid), body, alfred)
        return comment.ok ? ok(String(comment.value.id)) : comment
      }),
    editDescription: (project, iid, expected, body) =>
      answer(() =>
        withIssue(context, ref(project, iid), (issue, at) => {
          if (issue.body === body) return ok(undefined)
          if (issue.body !== expected)
            return err({ type: 'conflict', message: 'The description is no longer what it was.' })
          stores.issues.setText(issue.id, { title: issue.title, body }, at)
          stores.search.index(issue.id)
          return ok(undefined)
        }),
      ),
    openChange: (project, { closesIid, ...change }) =>
      answer(async () => {
        const opened = await openChange(context, project, { ...change, closesIid, authorId: alfred.id })
        return opened.ok ? ok(toForgeChange(stores, opened.value)) : opened
      }),
    closeChange: (project, changeIid) =>
      answer(() => {
        if (stores.changes.find(project.id, changeIid)?.state === 'merged') return ok(undefined)
        const closed = closeChange(context, project, changeIid)
        return closed.ok ? ok(undefined) : closed
      }),
    isInOpenChange: (project, branch) => answer(() => ok(stores.changes.isOpenAround(project.id, branch))),
    remote: (project) =>
      answer(() => {
        const url = repositoryPath(context, project)
        return existsSync(url) ? ok({ url, credential: null }) : err(notFound(`repository ${url}`))
      }),
  }
}

/** The poll also looks whether somebody pushed, since git tells nobody. */
async function listChanged(
  context: LocalContext,
  project: Project,
  cursor: string | null,
): Promise<Result<IssuePage, TrackerError>> {
  const refreshed = await refreshChanges(context, project)
  if (!refreshed.ok) return refreshed
  // A cursor that cannot be read starts over: an issue that comes again does no harm, one that is lost does.
  const from = cursor !== null && /^\d{1,15}$/.test(cursor) ? Number(cursor) : 0
  const rows = context.stores.issues.listChanged(project.id, from, pageSize + 1)
  const page = rows.slice(0, pageSize)
  return ok({
    issues: page.map((issue) => toForgeIssue(context.stores, issue)),
    cursor: String(page.at(-1)?.changeSeq ?? from),
    hasMore: rows.length > pageSize,
  })
}

async function readSnapshot(
  context: LocalContext,
  project: Project,
  iid: number,
  branch: string | null,
): Promise<Result<ForgeIssueSnapshot, TrackerError>> {
  const { stores } = context
  const refreshed = await refreshChanges(context, project)
  if (!refreshed.ok) return refreshed
  const branches =
    branch === null ? null : await readBranches(context.runGit, repositoryPath(context, project))
  if (branches !== null && !branches.ok) return err(gitFailed(branches.error))
  return withIssue(context, { projectId: project.id, iid }, (issue) =>
    ok({
      issue: toForgeIssue(stores, issue),
      comments: forgeCommentsOf(stores, issue.id),
      labelEvents: forgeLabelEventsOf(stores, issue.id),
      // Only the people of this computer write here: it says itself who owns its projects.
      assignments: [],
      ownerIds: [],
      changes:
        branch === null
          ? []
          : stores.changes.listByBranch(project.id, branch).map((change) => toForgeChange(stores, change)),
      branchExists: branch !== null && branches !== null && branches.value.has(branch),
      headStatus: null,
    }),
  )
}

function statusLabel(status: string): { readonly name: string; readonly color: string } {
  const name = toStatusLabel(status)
  return alfredLabels.find((label) => label.name === name) ?? { name, color: unknownStatusColor }
}

async function answer<T>(
  step: () => Result<T, TrackerError> | Promise<Result<T, TrackerError>>,
): Promise<Result<T, ForgeError>> {
  try {
    const result = await step()
    return result.ok ? result : err(toForgeError(result.error))
  } catch (error) {
    return err(toForgeError(answerSqliteFailure(error)))
  }
}
