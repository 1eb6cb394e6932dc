import { err, ok, type Result } from '@shared/result'
import type { GitError } from '@main/ports/git'
import { failureError, gitError, gitOutput, gitText, stoppedError } from './git-errors'
import type { RunGit } from './run-git'

const shaPattern = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** What `update-ref` takes for "must not exist". */
const nullSha = '0'.repeat(40)

export const isSha = (text: string): boolean => shaPattern.test(text)

/** The sha a full ref name points to; null when there is none. */
export async function readRef(
  run: RunGit,
  gitDir: string,
  ref: string,
): Promise<Result<string | null, GitError>> {
  const result = await run({
    gitDir,
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
  })
  if (!result.ok) return err(stoppedError(result.error))
  const sha = result.value.stdout.toString().trim()
  if (result.value.exitCode === 0 && isSha(sha)) return ok(sha)
  return result.value.exitCode === 1 ? ok(null) : err(failureError(result.value.stderr))
}

/** Moves a ref if it still is at `expected` (null: does not exist); else `moved`. */
export async function updateRef(
  run: RunGit,
  gitDir: string,
  ref: string,
  sha: string,
  expected: string | null,
): Promise<Result<void, GitError>> {
  const result = await run({ gitDir, args: ['update-ref', '--no-deref', ref, sha, expected ?? nullSha] })
  if (!result.ok) return err(stoppedError(result.error))
  return result.value.exitCode === 0 ? ok(undefined) : err(failureError(result.value.stderr))
}

/** Deletes a ref; one that is not there is no error. `expected` makes it compare-and-delete. */
export async function deleteRef(
  run: RunGit,
  gitDir: string,
  ref: string,
  expected?: string,
): Promise<Result<void, GitError>> {
  const result = await gitOutput(run, {
    gitDir,
    args: ['update-ref', '--no-deref', '-d', ref, ...(expected === undefined ? [] : [expected])],
  })
  return result.ok ? ok(undefined) : result
}

/** All refs below a prefix (a full path such as `refs/heads`), sha by full name. */
export async function listRefs(
  run: RunGit,
  gitDir: string,
  prefix: string,
): Promise<Result<ReadonlyMap<string, string>, GitError>> {
  const text = await gitText(run, {
    gitDir,
    args: ['for-each-ref', '--format=%(objectname) %(refname)', prefix],
    maxOutputBytes: 16_000_000,
  })
  if (!text.ok) return text
  const lines = text.value.split('\n').filter((line) => line !== '')
  return ok(
    new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))])),
  )
}

/** Whether `ancestor` is `descendant` or lies behind it; both must be there. */
export async function isAncestor(
  run: RunGit,
  gitDir: string,
  ancestor: string,
  descendant: string,
): Promise<Result<boolean, GitError>> {
  const result = await run({ gitDir, args: ['merge-base', '--is-ancestor', ancestor, descendant] })
  if (!result.ok) return err(stoppedError(result.error))
  if (result.value.exitCode === 0) return ok(true)
  return result.value.exitCode === 1 ? ok(false) : err(failureError(result.value.stderr))
}

/** Where two commits parted; null when they share nothing. */
export async function mergeBase(
  run: RunGit,
  gitDir: string,
  one: string,
  other: string,
): Promise<Result<string | null, GitError>> {
  const result = await run({ gitDir, args: ['merge-base', one, other] })
  if (!result.ok) return err(stoppedError(result.error))
  if (result.value.exitCode === 0) return ok(result.value.stdout.toString().trim())
  return result.value.exitCode === 1 ? ok(null) : err(failureError(result.value.stderr))
}

export async function countCommits(
  run: RunGit,
  gitDir: string,
  base: string,
  head: string,
): Promise<Result<number, GitError>> {
  const text = await gitText(run, { gitDir, args: ['rev-list', '--count', `${base}..${head}`, '--'] })
  return text.ok ? ok(Number(text.value)) : text
}

/** For shas that come from a caller: a name in their place would mean another thing to git. */
export function requireShas(...shas: readonly string[]): Result<void, GitError> {
  const wrong = shas.find((sha) => !isSha(sha))
  return wrong === undefined
    ? ok(undefined)
    : err(gitError('unexpected', 'A commit was named that is no full sha.'))
}
