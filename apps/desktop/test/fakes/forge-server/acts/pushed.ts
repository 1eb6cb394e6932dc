import type { ForgeIssue, ForgeRepository, ForgeUser } from '../forge-model'
import type { ForgeState } from '../forge-state'
import type { BareRepositories } from '../git/bare-repositories'
import type { PullIssue } from '../views/pull-view'
import { isPull } from '../route-context'
import { addEntry, setOpen } from './issue-acts'

/*
 * What follows when git has new branches: the API learns of them, pull requests get new heads, and those whose
 * branch is gone are closed.
 */

interface Parts {
  readonly state: ForgeState
  readonly git: BareRepositories
}

/** `known`: the branches where the caller knows them; else git is asked. */
export async function settlePushed(
  parts: Parts,
  repository: ForgeRepository,
  by: ForgeUser,
  known?: Map<string, string>,
): Promise<void> {
  const { state, git } = parts
  const before = repository.branches
  const after = known ?? (await git.branches(repository.id))
  repository.branches = after
  const isSame = before.size === after.size && [...after].every(([name, sha]) => before.get(name) === sha)
  if (isSame) return
  repository.updatedAt = state.now()
  // The first branch of an empty repository becomes its default one.
  const [first] = after.keys()
  if (before.size === 0 && first !== undefined && !after.has(repository.defaultBranch)) {
    repository.defaultBranch = first
    await git.git(repository.id, ['symbolic-ref', 'HEAD', `refs/heads/${first}`])
  }
  for (const issue of pullsFrom(state, repository)) {
    const sha = after.get(issue.pull.head)
    if (sha === undefined) loseHead(state, issue, by)
    else await moveHead(parts, issue, sha, by)
  }
}

/** Pull requests whose head is a branch of this repository, of forks too. */
function pullsFrom(state: ForgeState, repository: ForgeRepository): PullIssue[] {
  const issues: readonly ForgeIssue[] = state.repositories.flatMap((each) => each.issues)
  return issues.filter(isPull).filter(({ pull }) => pull.headRepository === repository && !pull.isHeadGone)
}

/** Without the fork its pull requests are closed. */
export function loseForkPulls(state: ForgeState, fork: ForgeRepository): void {
  for (const issue of pullsFrom(state, fork)) {
    if (issue.repository !== fork) loseHead(state, issue, issue.author)
  }
}

function loseHead(state: ForgeState, issue: PullIssue, by: ForgeUser): void {
  issue.pull.isHeadGone = true
  if (!issue.isOpen) return
  setOpen(state, issue, false, by)
}

async function moveHead({ state, git }: Parts, issue: PullIssue, sha: string, by: ForgeUser): Promise<void> {
  const { pull, repository } = issue
  if (!issue.isOpen || pull.headSha === sha) return
  const known = await git.tryGit(pull.headRepository.id, ['merge-base', '--is-ancestor', pull.headSha, sha])
  const listed = await git.tryGit(pull.headRepository.id, [
    'rev-list',
    '--reverse',
    `${pull.headSha}..${sha}`,
  ])
  pull.headSha = sha
  await keepHead(git, repository, issue)
  const commits = listed === null || listed === '' ? [] : listed.split('\n')
  addEntry(state, issue, {
    type: 'pull_push',
    user: by,
    body: JSON.stringify({ is_force_push: known === null, commit_ids: commits }),
  })
}

/** The head outlives its branch as a ref of the pull request. */
export async function keepHead(
  git: BareRepositories,
  repository: ForgeRepository,
  { number, pull }: PullIssue,
): Promise<void> {
  if (pull.headRepository !== repository) {
    await git.git(repository.id, ['fetch', '--quiet', git.pathOf(pull.headRepository.id), pull.headSha])
  }
  await git.git(repository.id, ['update-ref', `refs/pull/${number}/head`, pull.headSha])
}
