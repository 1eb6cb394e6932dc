import type { TrackerError } from '@shared/contract/tracker'
import type { Project } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import { isValidBranchName } from '@main/core/forge/branch-name'
import { mergeTrees } from '../../git/merge'
import { commitTree } from '../../git/commit'
import { deleteRef, isAncestor, updateRef } from '../../git/refs'
import type { ChangeRow, NewChange } from './change-store'
import { readBranches, viewBranches } from './branch-view'
import { conflict, gitFailed, invalid, type LocalContext, notFound, repositoryPath } from './local-context'
import type { PersonRow } from './people-store'

/*
 * Changes: two branches of the bare repository and a row. Git is asked first, then the row is written in one
 * transaction that checks that it still is what git was asked about.
 */

type Done<T = void> = Promise<Result<T, TrackerError>>

/** Opens a change, or returns the open one of the branch. */
export async function openChange(
  context: LocalContext,
  project: Project,
  change: Omit<NewChange, 'projectId'>,
): Done<ChangeRow> {
  const { changes, issues } = context.stores
  const there = changes.findOpen(project.id, change.sourceBranch)
  if (there !== null) return ok(there)
  const { sourceBranch, targetBranch, closesIid } = change
  if (!isValidBranchName(sourceBranch) || !isValidBranchName(targetBranch) || sourceBranch === targetBranch) {
    return err(invalid('A change needs two different branches.'))
  }
  if (closesIid !== null && issues.find(project.id, closesIid) === null)
    return err(notFound(`issue ${closesIid}`))
  const folder = repositoryPath(context, project)
  const branches = await readBranches(context.runGit, folder)
  if (!branches.ok) return err(gitFailed(branches.error))
  const head = branches.value.get(sourceBranch)
  const target = branches.value.get(targetBranch)
  if (head === undefined) return err(notFound(`branch ${sourceBranch}`))
  if (target === undefined) return err(notFound(`branch ${targetBranch}`))
  const view = await viewBranches(context.runGit, folder, head, target)
  if (!view.ok) return err(gitFailed(view.error))
  if (view.value.baseSha === head)
    return err(invalid(`The branch ${sourceBranch} has no commit that ${targetBranch} lacks.`))
  return context.stores.transaction(() => {
    const at = context.clock.now()
    const meanwhile = changes.findOpen(project.id, sourceBranch)
    if (meanwhile !== null) return ok(meanwhile)
    const added = changes.add({ ...change, projectId: project.id, ...view.value }, at)
    touchClosed(context, added, at)
    return ok(added)
  })
}

/** Opens a change of a person for an issue. Error `conflict`: the branch has an open one, whoever opened it. */
export async function proposeChange(
  context: LocalContext,
  project: Project,
  { iid, branch, title }: { readonly iid: number; readonly branch: string; readonly title: string | null },
  author: PersonRow,
): Done<ChangeRow> {
  const { changes, issues } = context.stores
  const issue = issues.find(project.id, iid)
  if (issue === null) return err(notFound(`issue ${iid}`))
  const refreshed = await refreshChanges(context, project)
  if (!refreshed.ok) return refreshed
  const there = changes.findOpen(project.id, branch)
  if (there !== null) return err(conflict(`The branch ${branch} has an open change already: !${there.iid}.`))
  return openChange(context, project, {
    title: title ?? issue.title,
    body: `Closes #${iid}`,
    sourceBranch: branch,
    targetBranch: project.defaultBranch,
    closesIid: iid,
    authorId: author.id,
  })
}

/**
 * Brings the rows of open changes up to what the branches are now: somebody pushed, the target moved (conflicts),
 * or somebody merged with plain git. Each difference moves the issue in the poll order.
 */
export async function refreshChanges(context: LocalContext, project: Project): Done {
  const open = context.stores.changes.list(project.id, 'open', 1_000)
  if (open.length === 0) return ok(undefined)
  const folder = repositoryPath(context, project)
  const branches = await readBranches(context.runGit, folder)
  if (!branches.ok) return err(gitFailed(branches.error))
  for (const change of open) {
    const head = branches.value.get(change.sourceBranch) ?? null
    const target = branches.value.get(change.targetBranch) ?? null
    if (head === change.headSha && target === change.targetSha) continue
    const refreshed = await refreshChange(context, folder, change, head, target)
    if (!refreshed.ok) return refreshed
  }
  return ok(undefined)
}

async function refreshChange(
  context: LocalContext,
  folder: string,
  change: ChangeRow,
  head: string | null,
  target: string | null,
): Done {
  const merged = await wasMerged(context, folder, change, head, target)
  if (!merged.ok) return merged
  const view = await viewBranches(context.runGit, folder, head, target)
  if (!view.ok) return err(gitFailed(view.error))
  context.stores.transaction(() => {
    const at = context.clock.now()
    if (!isStill(context, change)) return
    if (merged.value && target !== null) {
      // What was merged stays readable: its last commit, and where it parted before the merge.
      context.stores.changes.setBranches(change.id, { ...change, headSha: head ?? change.headSha }, at)
      finishMerge(context, change, target, at)
    } else {
      context.stores.changes.setBranches(change.id, view.value, at)
      touchClosed(context, change, at)
    }
  })
  return ok(undefined)
}

/** Whether all that the change had is in the moved target: then a person merged it by hand. */
async function wasMerged(
  context: LocalContext,
  folder: string,
  change: ChangeRow,
  head: string | null,
  target: string | null,
): Done<boolean> {
  if (change.headSha === null || target === null || target === change.targetSha) return ok(false)
  for (const sha of new Set([change.headSha, ...(head === null ? [] : [head])])) {
    const inTarget = await isAncestor(context.runGit, folder, sha, target)
    if (!inTarget.ok) return err(gitFailed(inTarget.error))
    if (!inTarget.value) return ok(false)
  }
  return ok(true)
}

/** Merges with a merge commit of `actor`, and closes the issue. Errors: `merge_conflicts`, `conflict` (moved), `invalid`. */
export async function mergeChange(
  context: LocalContext,
  project: Project,
  iid: number,
  options: { readonly expectedHeadSha: string | null; readonly deleteSourceBranch: boolean },
  actor: PersonRow,
): Done<ChangeRow> {
  const refreshed = await refreshChanges(context, project)
  if (!refreshed.ok) return refreshed
  const change = context.stores.changes.find(project.id, iid)
  if (change === null) return err(notFound(`change ${iid}`))
  const { headSha, targetSha } = change
  if (change.state === 'merged') return ok(change)
  if (change.state === 'closed') return err(invalid('The change is closed.'))
  if (headSha === null || targetSha === null) return err(invalid('One of the two branches is gone.'))
  if (options.expectedHeadSha !== null && options.expectedHeadSha !== headSha) {
    return err(conflict(`The branch ${change.sourceBranch} has new commits.`))
  }
  const folder = repositoryPath(context, project)
  const mergeSha = await makeMerge(context, folder, change, headSha, targetSha, actor)
  if (!mergeSha.ok) return mergeSha
  const moved = await updateRef(
    context.runGit,
    folder,
    `refs/heads/${change.targetBranch}`,
    mergeSha.value,
    targetSha,
  )
  if (!moved.ok) return err(gitFailed(moved.error))
  // The target has moved: from here on a cut-off is found and finished by the next refresh.
  context.stores.transaction(() => {
    if (isStill(context, change)) finishMerge(context, change, mergeSha.value, context.clock.now())
  })
  const settled = await refreshChanges(context, project)
  if (!settled.ok) return settled
  if (options.deleteSourceBranch)
    await deleteRef(context.runGit, folder, `refs/heads/${change.sourceBranch}`, headSha)
  return ok(context.stores.changes.get(change.id))
}

async function makeMerge(
  context: LocalContext,
  folder: string,
  change: ChangeRow,
  headSha: string,
  targetSha: string,
  actor: PersonRow,
): Done<string> {
  const merged = await mergeTrees(context.runGit, folder, targetSha, headSha)
  if (!merged.ok) return err(gitFailed(merged.error))
  if (merged.value.kind === 'conflicts') {
    const { sourceBranch: source, targetBranch: target } = change
    const paths = merged.value.paths.slice(0, 100)
    const named = paths.length > 5 ? `${paths.slice(0, 5).join(', ')} and others` : paths.join(', ')
    const message = `${source} and ${target} change the same lines of ${named}, so nothing was merged. Merge ${target} into ${source}, push it, and merge again.`
    return err({ type: 'merge_conflicts', message, paths })
  }
  const closes = change.closesIid === null ? '' : `\n\nCloses #${change.closesIid}`
  const commit = await commitTree(context.runGit, folder, {
    tree: merged.value.tree,
    parents: [targetSha, headSha],
    message: `Merge change !${change.iid}: ${change.title}${closes}\n`,
    author: { name: actor.name, email: actor.email ?? `${actor.login}@localhost` },
  })
  return commit.ok ? commit : err(gitFailed(commit.error))
}

export function closeChange(
  context: LocalContext,
  project: Project,
  iid: number,
): Result<ChangeRow, TrackerError> {
  const { changes } = context.stores
  return context.stores.transaction(() => {
    const change = changes.find(project.id, iid)
    if (change === null) return err(notFound(`change ${iid}`))
    if (change.state === 'merged') return err(invalid('The change is merged.'))
    if (change.state === 'open') {
      const at = context.clock.now()
      changes.setState(change.id, 'closed', null, at)
      touchClosed(context, change, at)
    }
    return ok(changes.get(change.id))
  })
}

function finishMerge(context: LocalContext, change: ChangeRow, mergedSha: string, at: number): void {
  const { changes, issues } = context.stores
  changes.setState(change.id, 'merged', mergedSha, at)
  const issue = change.closesIid === null ? null : issues.find(change.projectId, change.closesIid)
  if (issue?.isOpen === 1) issues.setOpen(issue.id, false, at)
  else if (issue) issues.touch(issue.id, at)
}

function isStill(context: LocalContext, change: ChangeRow): boolean {
  const now = context.stores.changes.get(change.id)
  return now.state === 'open' && now.headSha === change.headSha && now.targetSha === change.targetSha
}

function touchClosed(context: LocalContext, change: ChangeRow, at: number): void {
  const issue =
    change.closesIid === null ? null : context.stores.issues.find(change.projectId, change.closesIid)
  if (issue !== null) context.stores.issues.touch(issue.id, at)
}
