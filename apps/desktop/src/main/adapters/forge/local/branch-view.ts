import { ok, type Result } from '@shared/result'
import type { GitError } from '@main/ports/git'
import { mergeTrees, mergingNeedsNewerGit } from '../../git/merge'
import { listRefs, mergeBase } from '../../git/refs'
import type { RunGit } from '../../git/run-git'
import type { BranchView } from './change-store'

/** Sha by branch name. */
export async function readBranches(
  run: RunGit,
  folder: string,
): Promise<Result<ReadonlyMap<string, string>, GitError>> {
  const refs = await listRefs(run, folder, 'refs/heads')
  if (!refs.ok) return refs
  return ok(new Map([...refs.value].map(([ref, sha]) => [ref.slice('refs/heads/'.length), sha])))
}

/** How two branches stand to each other; histories that share nothing count as conflicting. */
export async function viewBranches(
  run: RunGit,
  folder: string,
  headSha: string | null,
  targetSha: string | null,
): Promise<Result<BranchView, GitError>> {
  const none: BranchView = { headSha, targetSha, baseSha: null, hasConflicts: 0 }
  if (headSha === null || targetSha === null) return ok(none)
  const base = await mergeBase(run, folder, targetSha, headSha)
  if (!base.ok) return base
  if (base.value === null) return ok({ ...none, hasConflicts: 1 })
  // One lies behind the other: nothing to merge, so nothing to conflict.
  if (base.value === targetSha || base.value === headSha) return ok({ ...none, baseSha: base.value })
  const merged = await mergeTrees(run, folder, targetSha, headSha)
  // An older git cannot tell; the merge itself then says so, and everything else goes on.
  if (!merged.ok) return merged.error === mergingNeedsNewerGit ? ok({ ...none, baseSha: base.value }) : merged
  return ok({ ...none, baseSha: base.value, hasConflicts: merged.value.kind === 'conflicts' ? 1 : 0 })
}
