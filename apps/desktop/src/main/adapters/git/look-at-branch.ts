import { err, ok, type Result } from '@shared/result'
import { isValidBranchName } from '@main/core/forge/branch-name'
import type { GitRemote } from '@main/ports/forge'
import type { GitError } from '@main/ports/git'
import { gitError, gitOutput } from './git-errors'
import { isSha } from './refs'
import { remoteAccess } from './remote-access'
import type { RunGit } from './run-git'

const lookTimeoutMs = 2 * 60_000

interface Look {
  readonly gitDir: string
  readonly remote: GitRemote
  readonly signal: AbortSignal
}

/** Where one branch of a remote stands now; null: it is not there. */
export async function lookAtBranch(
  run: RunGit,
  { branch, ...look }: Look & { readonly branch: string },
): Promise<Result<string | null, GitError>> {
  if (!isValidBranchName(branch))
    return err(gitError('unexpected', `Git does not take "${branch}" as a branch name.`))
  const ref = `refs/heads/${branch}`
  const lines = await listRemote(run, look, ['--refs'], ref)
  if (!lines.ok) return lines
  // The name is a pattern to git, which may fit the end of another one.
  const line = lines.value.find((one) => one.endsWith(`\t${ref}`))
  const sha = line?.split('\t')[0] ?? ''
  return ok(isSha(sha) ? sha : null)
}

/** The branch that a remote calls its default one; null: it says none, or has no commit yet. */
export async function lookAtDefaultBranch(run: RunGit, look: Look): Promise<Result<string | null, GitError>> {
  const lines = await listRemote(run, look, ['--symref'], 'HEAD')
  if (!lines.ok) return lines
  const name = lines.value.map((line) => /^ref: refs\/heads\/(\S+)\tHEAD$/.exec(line)?.[1]).find(Boolean)
  return ok(name !== undefined && isValidBranchName(name) ? name : null)
}

async function listRemote(
  run: RunGit,
  { gitDir, remote, signal }: Look,
  options: readonly string[],
  pattern: string,
): Promise<Result<readonly string[], GitError>> {
  const access = remoteAccess(remote)
  if (!access.ok) return err(access.error)
  const { url, config, env, secrets } = access.value
  const args = ['ls-remote', ...options, '--', url, pattern]
  const listed = await gitOutput(
    run,
    { gitDir, args, config, env, signal, timeoutMs: lookTimeoutMs },
    secrets,
  )
  return listed.ok ? ok(listed.value.stdout.toString().split('\n')) : listed
}
