import { err, ok, type Result } from '@shared/result'
import type { GitRemote } from '@main/ports/forge'
import type { GitError } from '@main/ports/git'
import { isValidBranchName } from '@main/core/forge/branch-name'
import { failureError, gitError, stoppedError } from './git-errors'
import { requireShas } from './refs'
import { remoteAccess } from './remote-access'
import type { RunGit } from './run-git'

const pushTimeoutMs = 30 * 60_000

export interface PushRequest {
  readonly gitDir: string
  readonly remote: GitRemote
  readonly branch: string
  /** null: the branch is deleted. */
  readonly sha: string | null
  /** What the remote must still have; null: no such branch. */
  readonly expected: string | null
  readonly signal: AbortSignal
}

/** Pushes one commit to one branch, or deletes it. A repeat of a push that arrived is a success. */
export async function pushBranch(run: RunGit, request: PushRequest): Promise<Result<void, GitError>> {
  const { branch, sha, expected } = request
  const checked = requireShas(...[sha, expected].filter((one) => one !== null))
  if (!checked.ok) return checked
  if (!isValidBranchName(branch))
    return err(gitError('unexpected', `Git does not take "${branch}" as a branch name.`))
  const access = remoteAccess(request.remote)
  if (!access.ok) return err(access.error)
  const { url, config, env, secrets } = access.value
  const ref = `refs/heads/${branch}`
  const result = await run({
    gitDir: request.gitDir,
    args: [
      'push',
      '--porcelain',
      '--no-verify',
      '--no-signed',
      '--recurse-submodules=no',
      // The exact form: without a value git would compare with its own idea of the remote.
      `--force-with-lease=${ref}:${expected ?? ''}`,
      '--',
      url,
      `${sha ?? ''}:${ref}`,
    ],
    config,
    env,
    signal: request.signal,
    timeoutMs: pushTimeoutMs,
  })
  if (!result.ok) return err(stoppedError(result.error))
  if (result.value.exitCode === 0) return ok(undefined)
  // The refusal of a ref is on standard output, the forge's own words are on standard error.
  return err(failureError(`${result.value.stdout.toString()}\n${result.value.stderr}`, secrets))
}
