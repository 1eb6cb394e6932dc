import { mayWrite } from '../access'
import type { Refusals } from '../answer'
import type { ForgeUser } from '../forge-model'
import type { ForgeState } from '../forge-state'
import type { ForgeTraits } from '../forge-traits'
import type { BareRepositories } from '../git/bare-repositories'
import { isDraft } from '../views/issue-view'
import type { PullIssue } from '../views/pull-view'
import { protectionOf } from '../views/branch-view'
import { addEntry } from './issue-acts'
import { settlePushed } from './pushed'
import { mentionsIn } from './references'
import { mergesCleanly } from './pull-figures'

/*
 * Merging. Everything that is not possible now is 405, a conflict too.
 */

export interface MergeParts {
  readonly state: ForgeState
  readonly git: BareRepositories
  readonly refuse: Refusals
  readonly traits: ForgeTraits
}

export interface MergeWish {
  readonly style: 'merge' | 'squash'
  readonly expectedHead: string
  readonly deletesBranch: boolean
  readonly title: string
}

export async function mergePull(
  parts: MergeParts,
  issue: PullIssue,
  wish: MergeWish,
  by: ForgeUser,
): Promise<void> {
  const { state, git, refuse, traits } = parts
  const { repository, pull } = issue
  if (!mayWrite(repository, by)) throw refuse(405, 'User not allowed to merge PR')
  if (pull.mergedAt !== null) throw refuse(405, traits.isForgejo ? '' : 'The PR is already merged')
  if (!issue.isOpen) throw refuse.notFound()
  if (isDraft(issue.title)) throw refuse(405, 'Work in progress PRs cannot be merged')
  const base = repository.branches.get(pull.base)
  if (base === undefined) throw refuse.notFound()
  if (!(await mergesCleanly(repository, base, pull.headSha, git))) throw refuse(405, 'Please try again later')
  mustSatisfy(parts, issue)
  if (wish.style === 'merge' && repository.onlySquashes) {
    throw refuse(405, 'merge is not allowed an allowed merge style for this repository')
  }
  if (wish.expectedHead !== '' && wish.expectedHead !== pull.headSha) throw refuse(409, 'head out of date')
  pull.mergeSha = await commitMerge(parts, issue, wish, base, by)
  pull.baseSha = pull.mergeSha
  pull.mergedAt = state.now()
  pull.mergedBy = by
  addEntry(state, issue, { type: 'merge_pull', user: by })
  issue.isOpen = false
  issue.closedAt = state.now()
  closeMentioned(state, issue, by)
  if (wish.deletesBranch) {
    await git.git(pull.headRepository.id, ['update-ref', '-d', `refs/heads/${pull.head}`])
    addEntry(state, issue, { type: 'delete_branch', user: by, branch: pull.head })
  }
  await settlePushed(parts, repository, by)
}

function mustSatisfy({ refuse, traits }: MergeParts, { repository, pull }: PullIssue): void {
  const protection = protectionOf(repository, pull.base)
  if (protection === undefined) return
  const say = (reason: string): Error =>
    refuse(405, traits.isForgejo ? `not allowed to merge [reason: ${reason}]` : reason)
  const succeeded = (context: string): boolean =>
    repository.statuses.findLast((status) => status.sha === pull.headSha && status.context === context)
      ?.state === 'success'
  if (!protection.statusContexts.every(succeeded)) throw say('Not all required status checks successful')
  const approvals = pull.reviews.filter(
    ({ state, isOfficial, isDismissed }) => state === 'APPROVED' && isOfficial && !isDismissed,
  )
  if (approvals.length < protection.requiredApprovals) throw say('Does not have enough approvals')
}

async function commitMerge(
  { git, state }: MergeParts,
  issue: PullIssue,
  wish: MergeWish,
  base: string,
  by: ForgeUser,
): Promise<string> {
  const { repository, pull, number, title } = issue
  const tree =
    (await git.git(repository.id, ['merge-tree', '--write-tree', base, pull.headSha])).split('\n')[0] ?? ''
  const said =
    wish.style === 'squash'
      ? wish.title || `${title} (#${number})`
      : wish.title || `Merge pull request '${title}' (#${number}) from ${pull.head} into ${pull.base}`
  const parents = wish.style === 'squash' ? ['-p', base] : ['-p', base, '-p', pull.headSha]
  const person = { name: by.fullName || by.login, email: by.email }
  const sha = await git.git(
    repository.id,
    ['commit-tree', tree, ...parents, '-m', said],
    person,
    Math.floor(state.now() / 1000),
  )
  await git.git(repository.id, ['update-ref', `refs/heads/${pull.base}`, sha, base])
  return sha
}

/** Whatever the base is; the default branch is not looked at. */
function closeMentioned(state: ForgeState, issue: PullIssue, by: ForgeUser): void {
  for (const { issue: other, closes } of mentionsIn(
    `${issue.title}\n${issue.body}`,
    issue.repository,
    state,
  )) {
    if (!closes || !other.isOpen || !mayWrite(other.repository, by)) continue
    addEntry(state, other, { type: 'close', user: by })
    other.isOpen = false
    other.closedAt = state.now()
  }
}
