import type { ForgePull, ForgeRepository } from '../forge-model'
import type { BareRepositories } from '../git/bare-repositories'
import type { PullIssue } from '../views/pull-view'

/*
 * What git says about a pull request. A merged or closed one keeps what it was told last.
 */

export interface PullFigures {
  readonly headSha: string
  readonly baseSha: string
  readonly mergeBase: string
  readonly additions: number
  readonly deletions: number
  readonly changedFiles: number
  /** Stays true after a merge or close; knows nothing of required checks. */
  readonly isMergeable: boolean
}

export async function figuresOf(issue: PullIssue, git: BareRepositories): Promise<PullFigures> {
  const { pull, repository } = issue
  const baseSha = pull.mergeSha ?? repository.branches.get(pull.base) ?? pull.baseSha
  const mergeBase =
    pull.mergedAt === null ? await mergeBaseOf(repository, pull, baseSha, git) : pull.mergeBase
  const counted = await git.fixed(repository.id, ['diff', '--numstat', mergeBase, pull.headSha, '--'])
  const lines = counted === null || counted === '' ? [] : counted.split('\n').map((line) => line.split('\t'))
  const sum = (column: 0 | 1): number => lines.reduce((total, line) => total + (Number(line[column]) || 0), 0)
  return {
    headSha: pull.headSha,
    baseSha,
    mergeBase,
    additions: sum(0),
    deletions: sum(1),
    changedFiles: lines.length,
    isMergeable: !issue.isOpen || (await mergesCleanly(repository, baseSha, pull.headSha, git)),
  }
}

async function mergeBaseOf(
  repository: ForgeRepository,
  pull: ForgePull,
  baseSha: string,
  git: BareRepositories,
): Promise<string> {
  const found = await git.fixed(repository.id, ['merge-base', baseSha, pull.headSha])
  return found ?? pull.mergeBase
}

export const mergesCleanly = async (
  repository: ForgeRepository,
  base: string,
  head: string,
  git: BareRepositories,
): Promise<boolean> => (await git.fixed(repository.id, ['merge-tree', '--write-tree', base, head])) !== null
