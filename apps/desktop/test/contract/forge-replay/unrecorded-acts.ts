import { removeLabel, setOpen } from '../../fakes/forge-server/acts/issue-acts'
import { refusalsOf } from '../../fakes/forge-server/answer'
import { openPull } from '../../fakes/forge-server/acts/open-pull'
import { settlePushed } from '../../fakes/forge-server/acts/pushed'
import type { Act } from './replay-scene'
import { changeOf } from './seed-issues'
import { issueAt } from './seed-places'

/*
 * What people did between recorded exchanges: comments, closings, pushes, statuses.
 */

export const all =
  (...acts: readonly Act[]): Act =>
  async (forge, copies) => {
    for (const act of acts) await act(forge, copies)
  }

/** `place`: `owner/name/number`. */
export const commentOn =
  (place: string, by: string): Act =>
  (forge) => {
    const issue = issueAt(forge, place)
    if (issue !== undefined) forge.seed.comment(issue, by, 'Not recorded.')
  }

export const close =
  (place: string): Act =>
  (forge) => {
    const issue = issueAt(forge, place)
    if (issue !== undefined) setOpen(forge.state, issue, false, forge.seed.person('dev'))
  }

export const takeLabelOff =
  (place: string, name: string, by: string): Act =>
  (forge) => {
    const issue = issueAt(forge, place)
    const label = issue?.labels.find((each) => each.name === name)
    if (issue !== undefined && label !== undefined)
      removeLabel(forge.state, issue, label, forge.seed.person(by))
  }

/** Branches with one commit each on top of the default one. */
export const branches =
  (path: string, names: readonly string[], figures = { additions: 1, deletions: 0, files: 1 }): Act =>
  async ({ seed }) => {
    for (const name of names) await seed.commit(path, name, changeOf(name, figures), { by: 'alfred-bot' })
  }

/** A branch at the default one, without a commit of its own. */
export const bareBranch =
  (path: string, name: string): Act =>
  async (forge) => {
    const repository = forge.seed.find(path)
    await forge.git.git(repository.id, ['branch', name, repository.defaultBranch])
    await settlePushed(forge, repository, repository.owner)
  }

export const push =
  (
    path: string,
    branch: string,
    files: Readonly<Record<string, string>>,
    message: string,
    by = 'alfred-bot',
  ): Act =>
  async ({ seed }) => {
    await seed.commit(path, branch, files, { by, message })
  }

/** A merge commit that keeps the branch's own files. */
export const mergeMain =
  (path: string, branch: string): Act =>
  async (forge) => {
    const { git, seed, state } = forge
    const repository = seed.find(path)
    const by = seed.person('alfred-bot')
    const parents = ['-p', branch, '-p', repository.defaultBranch]
    const sha = await git.git(
      repository.id,
      ['commit-tree', `${branch}^{tree}`, ...parents, '-m', 'Merge main'],
      { name: by.fullName, email: by.email },
      Math.floor(state.now() / 1000),
    )
    await git.git(repository.id, ['update-ref', `refs/heads/${branch}`, sha])
    await settlePushed(forge, repository, by)
  }

export const status =
  (
    path: string,
    branch: string,
    context: string,
    state: string,
    more: { readonly url?: string; readonly text?: string } = {},
  ): Act =>
  (forge) => {
    const repository = forge.seed.find(path)
    repository.statuses.push({
      id: forge.state.idOf('status'),
      sha: repository.branches.get(branch) ?? '',
      context,
      state,
      description: more.text ?? '',
      targetUrl: more.url ?? '',
      creatorId: forge.seed.person('dev').id,
      at: forge.state.now(),
    })
  }

/** A pull request of the bot from a fresh branch. */
export const openedPull =
  (path: string, branch: string, body: string, number: number): Act =>
  async (forge, copies) => {
    const repository = forge.seed.find(path)
    repository.nextNumber = number
    await branches(path, [branch])(forge, copies)
    const refuse = refusalsOf(forge.traits, forge.url)
    const author = forge.seed.person('alfred-bot')
    await openPull({ state: forge.state, git: forge.git, traits: forge.traits, refuse }, repository, {
      title: branch,
      body,
      head: branch,
      base: repository.defaultBranch,
      author,
      labelIds: [],
      assignees: [],
    })
  }

/** A pull request that was there before, closed. */
export const closedPull = (path: string, branch: string, number: number): Act =>
  all(openedPull(path, branch, '', number), close(`${path}/${number}`))

/** An issue with this number, whatever the numbers were before. */
export const issueNumbered =
  (path: string, number: number, title: string, assignees: readonly string[] = []): Act =>
  ({ seed }) => {
    const repository = seed.find(path)
    const next = repository.nextNumber
    repository.nextNumber = number
    seed.issue(path, { title, by: 'dev', assignees })
    repository.nextNumber = Math.max(next, number + 1)
  }
