import { err, ok, type Result } from '@shared/result'
import type { GitError, MailboxRepository } from '../../ports/git'

export interface PreparedBase {
  /** The commit that the run begins with; its bundle must descend from it. */
  readonly baseSha: string
  readonly branchExists: boolean
}

export type BaseError = GitError | { readonly type: 'no_base'; readonly message: string }

/**
 * Where a run begins: the branch as phase runs made it or as the forge has it, else the base branch.
 * `refs/heads/<branch>` of the repository follows the forge when somebody pushed there.
 */
export async function resolveBase(
  repository: MailboxRepository,
  branch: string,
  baseBranch: string,
): Promise<Result<PreparedBase, BaseError>> {
  const own = await repository.ownBranch(branch)
  if (!own.ok) return own
  const there = await repository.remoteBranch(branch)
  if (!there.ok) return there
  const base = await repository.remoteBranch(baseBranch)
  if (!base.ok) return base

  if (there.value === null && own.value === null) return fromBase(base.value, baseBranch)
  if (there.value === null && own.value !== null)
    return goOnWithOwn(repository, branch, own.value, base.value, baseBranch)
  if (there.value !== null && own.value !== null && there.value !== own.value) {
    return joined(repository, branch, own.value, there.value)
  }
  return ok({ baseSha: there.value ?? '', branchExists: true })
}

const fromBase = (sha: string | null, baseBranch: string): Result<PreparedBase, BaseError> =>
  sha === null
    ? err({
        type: 'no_base',
        message: `The repository has no branch ${baseBranch}, so there is nothing to begin with.`,
      })
    : ok({ baseSha: sha, branchExists: false })

/** Our branch was never pushed, or was deleted on the forge: then it only counts while it holds something new. */
async function goOnWithOwn(
  repository: MailboxRepository,
  branch: string,
  own: string,
  base: string | null,
  baseBranch: string,
): Promise<Result<PreparedBase, BaseError>> {
  if (base === null) return ok({ baseSha: own, branchExists: true })
  const news = await repository.commitCount(base, own)
  if (!news.ok) return news
  if (news.value > 0) return ok({ baseSha: own, branchExists: true })
  const deleted = await repository.deleteOwnBranch(branch)
  return deleted.ok ? fromBase(base, baseBranch) : deleted
}

/** Ours ahead of the forge: not pushed yet. Anything else: the forge's, where a person may have pushed. */
async function joined(
  repository: MailboxRepository,
  branch: string,
  own: string,
  there: string,
): Promise<Result<PreparedBase, BaseError>> {
  const foreign = await repository.commitCount(own, there)
  if (!foreign.ok) return foreign
  if (foreign.value === 0) return ok({ baseSha: own, branchExists: true })
  const moved = await repository.setOwnBranch(branch, there, own)
  return moved.ok ? ok({ baseSha: there, branchExists: true }) : moved
}
