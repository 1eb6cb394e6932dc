import { err, ok, type Result } from '@shared/result'
import { isValidBranchName } from '@main/core/forge/branch-name'
import type { GitRemote } from '@main/ports/forge'
import type { GitError } from '@main/ports/git'
import { gitError, gitOutput } from './git-errors'
import { isSha } from './refs'
import { remoteAccess } from './remote-access'
import type { RunGit } from './run-git'

const lookTimeoutMs = 2 * 60_000

/** Where one branch of a remote stands now; null: it is not there. */
export async function lookAtBranch(
  run: RunGit,
  request: {
    readonly gitDir: string
    readonly remote: GitRemote
    readonly branch: string
    readonly signal: AbortSignal
  },
): Promise<Result<string | null, GitError>> {
  const { gitDir, branch, signal } = request
  if (!isValidBranchName(branch))
    return err(gitError('unexpected', `Git does not take "${branch}" as a branch name.`))
  const access = remoteAccess(request.remote)
  if (!access.ok) return err(access.error)
  const { url, config, env, secrets } = access.value
  const ref = `refs/heads/${branch}`
  const args = ['ls-remote', '--refs', '--', url, ref]
  const listed = await gitOutput(
    run,
    { gitDir, args, config, env, signal, timeoutMs: lookTimeoutMs },
    secrets,
  )
  if (!listed.ok) return listed
  // The name is a pattern to git, which may fit the end of another one.
  const line = listed.value.stdout
    .toString()
    .split('\n')
    .find((one) => one.endsWith(`\t${ref}`))
  const sha = line?.split('\t')[0] ?? ''
  return ok(isSha(sha) ? sha : null)
}
