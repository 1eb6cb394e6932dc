import type { Refusals } from '../answer'
import type { ForgePull, ForgeRepository, ForgeUser } from '../forge-model'
import type { ForgeState } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import type { BareRepositories } from '../git/bare-repositories'
import { isPull } from '../route-context'
import type { PullIssue } from '../views/pull-view'
import { addEntry } from './issue-acts'
import { openIssue } from './open-issue'
import { keepHead } from './pushed'

/*
 * A new pull request, from a branch of the repository or of a fork. One without commits of its own is opened too.
 */

interface Parts {
  readonly state: ForgeState
  readonly git: BareRepositories
  readonly refuse: Refusals
  readonly traits: ForgeTraits
}

export interface NewPull {
  readonly title: string
  readonly body: string
  /** `branch`, `user:branch` or `user/name:branch`. */
  readonly head: string
  readonly base: string
  readonly author: ForgeUser
  readonly labelIds: readonly number[]
  readonly assignees: readonly ForgeUser[]
}

export interface Head {
  readonly repository: ForgeRepository
  readonly branch: string
}

/** null: no such place. A bare user means a repository of the same name. */
export function headOf(state: ForgeState, repository: ForgeRepository, head: string): Head | null {
  const colon = head.indexOf(':')
  if (colon < 0) return { repository, branch: head }
  const [owner = '', name = repository.name] = head.slice(0, colon).split('/')
  const branch = head.slice(colon + 1)
  const named = state.repository(owner, name)
  const fork = state.repositories.find(
    (each) => !each.isDeleted && each.parent === repository && each.owner.login === owner,
  )
  const found = named ?? (head.slice(0, colon).includes('/') ? undefined : fork)
  return found === undefined ? null : { repository: found, branch }
}

export const pullsOf = (repository: ForgeRepository): PullIssue[] => repository.issues.filter(isPull)

export async function openPull(
  parts: Parts,
  repository: ForgeRepository,
  wanted: NewPull,
): Promise<PullIssue> {
  const { state, git, refuse, traits } = parts
  const head = headOf(state, repository, wanted.head)
  const headSha = head?.repository.branches.get(head.branch)
  const baseSha = repository.branches.get(wanted.base)
  if (head === null || headSha === undefined) {
    throw traits.missingHeadStatus === 500 && baseSha !== undefined ? refuse.unexpected() : refuse.notFound()
  }
  if (baseSha === undefined) throw traits.isForgejo ? refuse.notFound([], 'BaseNotExist') : refuse.notFound()
  if (head.repository === repository && head.branch === wanted.base) {
    throw refuse(422, 'Invalid PullRequest: There are no changes between the head and the base')
  }
  mustBeTheOnlyOne(refuse, repository, head, wanted.base)
  const pull: ForgePull = {
    id: state.idOf('pull'),
    headRepository: head.repository,
    head: head.branch,
    base: wanted.base,
    headSha,
    baseSha,
    mergeBase: baseSha,
    isHeadGone: false,
    mergedAt: null,
    mergedBy: null,
    mergeSha: null,
    reviews: [],
  }
  const issue = openIssue(state, repository, { ...wanted, pull })
  if (!isPull(issue)) throw refuse.unexpected()
  await keepHead(git, repository, issue)
  pull.mergeBase = (await git.tryGit(repository.id, ['merge-base', baseSha, headSha])) ?? baseSha
  const listed = await git.git(repository.id, ['rev-list', '--reverse', `${pull.mergeBase}..${headSha}`])
  if (listed !== '') {
    addEntry(state, issue, {
      type: 'pull_push',
      user: wanted.author,
      body: JSON.stringify({ is_force_push: false, commit_ids: listed.split('\n') }),
    })
  }
  return issue
}

function mustBeTheOnlyOne(refuse: Refusals, repository: ForgeRepository, head: Head, base: string): void {
  const other = pullsOf(repository).find(
    ({ isOpen, pull }) =>
      isOpen && pull.headRepository === head.repository && pull.head === head.branch && pull.base === base,
  )
  if (other === undefined) return
  const about = [
    `id: ${other.pull.id}`,
    `issue_id: ${other.number}`,
    `head_repo_id: ${head.repository.id}`,
    `base_repo_id: ${repository.id}`,
    `head_branch: ${head.branch}`,
    `base_branch: ${base}`,
  ].join(', ')
  throw refuse(409, `pull request already exists for these targets [${about}]`)
}
