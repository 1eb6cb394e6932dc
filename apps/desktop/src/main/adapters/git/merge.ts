import { err, ok, type Result } from '@shared/result'
import type { GitError } from '@main/ports/git'
import { failureError, gitError, stoppedError } from './git-errors'
import { isSha, requireShas } from './refs'
import type { RunGit } from './run-git'

export type TreeMerge =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflicts'; readonly paths: readonly string[] }

/** `merge-tree --write-tree` came with 2.38; everything else here works from 2.31 on. */
export const mergingNeedsNewerGit = gitError('unexpected', 'Merging needs git 2.38 or newer.')

/** Merges two commits into a tree, without a working tree and without moving anything. */
export async function mergeTrees(
  run: RunGit,
  gitDir: string,
  ours: string,
  theirs: string,
): Promise<Result<TreeMerge, GitError>> {
  const checked = requireShas(ours, theirs)
  if (!checked.ok) return checked
  const merged = await run({
    gitDir,
    args: ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs],
  })
  if (!merged.ok) return err(stoppedError(merged.error))
  const { exitCode, stdout, stderr } = merged.value
  const [tree = '', ...paths] = stdout
    .toString()
    .split('\0')
    .filter((field) => field !== '')
  if (exitCode === 0 && isSha(tree)) return ok({ kind: 'clean', tree })
  // Exit code 1 also means that something could not be merged at all; then there is no tree.
  if (exitCode === 1 && isSha(tree)) return ok({ kind: 'conflicts', paths })
  return err(/usage:|unknown option/i.test(stderr) ? mergingNeedsNewerGit : failureError(stderr))
}
