import { ok, type Result } from '@shared/result'
import type { GitError } from '@main/ports/git'
import { gitText } from './git-errors'
import { deleteRef, isAncestor, readRef, requireShas, updateRef } from './refs'
import type { RunGit } from './run-git'

export interface TakeOffRequest {
  readonly gitDir: string
  readonly branch: string
  readonly headSha: string
  /** The ref that goes on leading to them; null: none does, they are thrown away. */
  readonly keepAt: string | null
}

/*
 * Commits that the forge does not have, off the branch. Each step may have been done already: it is asked for
 * again after a crash.
 */
export async function takeOffBranch(run: RunGit, request: TakeOffRequest): Promise<Result<void, GitError>> {
  const { gitDir, branch, headSha, keepAt } = request
  const checked = requireShas(headSha)
  if (!checked.ok) return checked
  const there = await readRef(run, gitDir, `refs/remotes/origin/${branch}`)
  if (!there.ok) return there
  if (keepAt !== null) {
    const kept = await readRef(run, gitDir, keepAt)
    if (!kept.ok) return kept
    const set = await updateRef(run, gitDir, keepAt, headSha, kept.value)
    if (!set.ok) return set
  }
  const moved = await moveBack(run, request, there.value)
  if (!moved.ok) return moved
  return keepAt === null ? forget(run, request, there.value) : ok(undefined)
}

/** The branch goes back to where the forge has it, as last fetched; to nowhere, where the forge has none. */
async function moveBack(
  run: RunGit,
  { gitDir, branch, headSha }: TakeOffRequest,
  there: string | null,
): Promise<Result<void, GitError>> {
  const ref = `refs/heads/${branch}`
  const own = await readRef(run, gitDir, ref)
  if (!own.ok) return own
  if (own.value === null) return ok(undefined)
  const holdsThem = await isAncestor(run, gitDir, headSha, own.value)
  if (!holdsThem.ok) return holdsThem
  if (!holdsThem.value) return ok(undefined)
  return there === null
    ? deleteRef(run, gitDir, ref, own.value)
    : updateRef(run, gitDir, ref, there, own.value)
}

/** What earlier runs brought in on the way to this head goes with it. */
async function forget(
  run: RunGit,
  { gitDir, headSha }: TakeOffRequest,
  there: string | null,
): Promise<Result<void, GitError>> {
  const found = await gitText(run, {
    gitDir,
    args: [
      'for-each-ref',
      '--format=%(refname)',
      `--merged=${headSha}`,
      ...(there === null ? [] : [`--no-merged=${there}`]),
      'refs/alfred/runs',
      'refs/alfred/left-out',
    ],
    maxOutputBytes: 16_000_000,
  })
  if (!found.ok) return found
  for (const ref of found.value.split('\n').filter((line) => line !== '')) {
    const deleted = await deleteRef(run, gitDir, ref)
    if (!deleted.ok) return deleted
  }
  return ok(undefined)
}
