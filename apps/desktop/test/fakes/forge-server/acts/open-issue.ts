import { canBeAssigned, mayWrite } from '../access'
import type { Refusals } from '../answer'
import type { ForgeIssue, ForgeLabel, ForgePull, ForgeRepository, ForgeUser } from '../forge-model'
import type { ForgeState } from '../forge-state'
import { addEntry, addLabel, storedTitle } from './issue-acts'
import { noteMentions } from './references'

/*
 * A new issue or pull request. Labels and assignees of people who may not set them are dropped without a word.
 */

export interface NewIssue {
  readonly title: string
  readonly body: string
  readonly ref?: string
  readonly author: ForgeUser
  readonly labelIds: readonly number[]
  readonly assignees: readonly ForgeUser[]
  readonly pull: ForgePull | null
}

export function openIssue(state: ForgeState, repository: ForgeRepository, wanted: NewIssue): ForgeIssue {
  const now = state.now()
  const { author } = wanted
  const writes = mayWrite(repository, author)
  const issue: ForgeIssue = {
    id: state.idOf('issue'),
    number: repository.nextNumber,
    repository,
    author,
    title: storedTitle(wanted.title),
    body: wanted.body,
    ref: wanted.ref ?? '',
    contentVersion: 0,
    labels: [],
    assignees: [],
    isOpen: true,
    isLocked: false,
    dueAt: null,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    entries: [],
    dependsOn: [],
    pull: wanted.pull,
  }
  repository.nextNumber += 1
  repository.issues.push(issue)
  if (writes) {
    for (const label of labelsById(state, repository, wanted.labelIds)) addLabel(state, issue, label, author)
    for (const assignee of wanted.assignees)
      addEntry(state, issue, { type: 'assignees', user: author, assignee })
    issue.assignees = [...new Set(wanted.assignees)]
  }
  noteMentions(state, issue, `${issue.title}\n${issue.body}`, author)
  return issue
}

/** Ids of other repositories and of nothing are dropped. */
export const labelsById = (
  state: ForgeState,
  repository: ForgeRepository,
  ids: readonly number[],
): ForgeLabel[] => state.labelsOf(repository).filter(({ id }) => ids.includes(id))

/** As the servers check the assignees of something new. */
export function newAssignees(
  state: ForgeState,
  repository: ForgeRepository,
  logins: readonly string[],
  refuse: Refusals,
): ForgeUser[] {
  return logins.map((login) => {
    const user = state.user(login)
    if (user === undefined) {
      throw refuse(422, `Assignee does not exist: [name: user does not exist [uid: 0, name: ${login}]]`)
    }
    if (!canBeAssigned(repository, user)) {
      throw refuse(
        422,
        `user doesn't have access to repo [user_id: ${user.id}, repo_name: ${repository.name}]`,
      )
    }
    return user
  })
}
