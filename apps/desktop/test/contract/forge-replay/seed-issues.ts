import type { ForgeServer } from '../../fakes/forge-server/forge-server'
import type { ForgeIssue, ForgeRepository, ForgeUser } from '../../fakes/forge-server/forge-model'
import { setOpen, addEntry } from '../../fakes/forge-server/acts/issue-acts'
import { refusalsOf } from '../../fakes/forge-server/answer'
import { openPull } from '../../fakes/forge-server/acts/open-pull'
import { fullName } from '../../fakes/forge-server/forge-state'
import { openIssue } from '../../fakes/forge-server/acts/open-issue'
import { placeOf, type Seen, type SeenThing } from './recorded-things'
import { issueAt, repositoryFor, seedLabel, textIn } from './seed-places'

/*
 * Issues, pull requests and comments as a scene showed them first, without what the scene itself wrote into them.
 */

const loginsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((user: Seen) => String(user['login'])) : []

export async function seedIssue(
  forge: ForgeServer,
  thing: SeenThing,
  things: readonly SeenThing[],
): Promise<void> {
  const { view } = thing
  const { state } = forge
  if (issueAt(forge, placeOf(view['html_url'])) !== undefined) return
  const { full_name: path } = view['repository'] as { readonly full_name: string }
  const repository = await repositoryFor(forge, path, things)
  if (!('labels' in thing.written)) await seedLabelsOf(forge, view, things)
  const author = personIn(forge, view)
  const next = repository.nextNumber
  repository.nextNumber = Number(view['number'])
  state.nextIds.issue = Number(view['id'])
  const isPull = typeof view['pull_request'] === 'object' && view['pull_request'] !== null
  const issue = isPull
    ? await openSeededPull(forge, repository, view, `pull-${String(view['number'])}`)
    : openIssue(state, repository, { ...textsOf(view), ...namedIn(forge, view), author, pull: null })
  settle(forge, issue, thing, author)
  fillComments(forge, issue, thing, things)
  repository.nextNumber = Math.max(next, repository.nextNumber)
}

/** What an issue was seen with, unless the scene makes it only later. */
async function seedLabelsOf(forge: ForgeServer, view: Seen, things: readonly SeenThing[]): Promise<void> {
  for (const label of Array.isArray(view['labels']) ? (view['labels'] as Seen[]) : [])
    await seedLabel(forge, label, things)
}

const textsOf = (view: Seen): { title: string; body: string } => ({
  title: String(view['title']),
  body: String(view['body']),
})

const personIn = (forge: ForgeServer, view: Seen): ForgeUser =>
  forge.seed.person(String((view['user'] as Seen)['login']))

const namedIn = (forge: ForgeServer, view: Seen): { labelIds: number[]; assignees: ForgeUser[] } => ({
  labelIds: Array.isArray(view['labels']) ? view['labels'].map((label: Seen) => Number(label['id'])) : [],
  assignees: loginsOf(view['assignees']).map((login) => forge.seed.person(login)),
})

/** Who could not set labels had them set by somebody else. */
function settle(
  forge: ForgeServer,
  issue: ForgeIssue,
  { view, written }: SeenThing,
  author: ForgeUser,
): void {
  const { labelIds, assignees } = namedIn(forge, view)
  issue.labels = forge.state
    .labelsOf(issue.repository)
    .filter(({ id }) => labelIds.includes(id) && !('labels' in written))
  issue.assignees = assignees
  issue.contentVersion = Number(view['content_version'] ?? 0) - ('body' in written ? 1 : 0)
  issue.isLocked = view['is_locked'] === true
  if (view['state'] === 'closed' && !('state' in written)) setOpen(forge.state, issue, false, author)
  issue.updatedAt = Date.parse(String(view['updated_at']))
}

/** Comments that no answer shows count all the same. */
function fillComments(
  forge: ForgeServer,
  issue: ForgeIssue,
  { view }: SeenThing,
  things: readonly SeenThing[],
): void {
  const shown = things.some(
    ({ kind, view: comment }) =>
      kind === 'comment' && placeOf(comment['html_url']) === placeOf(view['html_url']),
  )
  const moved = issue.updatedAt
  for (let count = shown ? Number(view['comments']) : 0; count < Number(view['comments']); count += 1) {
    addEntry(forge.state, issue, { type: 'comment', user: issue.author, body: 'Not recorded.' })
  }
  issue.updatedAt = moved
}

export async function seedPull(
  forge: ForgeServer,
  thing: SeenThing,
  things: readonly SeenThing[],
): Promise<void> {
  const { view } = thing
  if (issueAt(forge, placeOf(view['html_url'])) !== undefined) return
  const path = String(/\/([^/]+\/[^/]+)\/pulls\/\d+$/.exec(String(view['html_url']))?.[1])
  const repository = await repositoryFor(forge, path, things)
  const next = repository.nextNumber
  repository.nextNumber = Number(view['number'])
  forge.state.nextIds.pull = Number(view['id'])
  const issue = await openSeededPull(forge, repository, view, String((view['head'] as Seen)['label']))
  settle(forge, issue, thing, issue.author)
  repository.nextNumber = Math.max(next, repository.nextNumber)
}

/** From a branch whose commit has as many lines as the view counts. */
async function openSeededPull(
  forge: ForgeServer,
  repository: ForgeRepository,
  view: Seen,
  head: string,
): Promise<ForgeIssue> {
  const path = fullName(repository)
  const { additions = 1, deletions = 0, changed_files: files = 1 } = view as Readonly<Record<string, number>>
  if (!repository.branches.has(head)) {
    await forge.seed.commit(path, head, changeOf(head, { additions, deletions, files }), { by: 'alfred-bot' })
  }
  const base = textIn(view['base'] as Seen | undefined, 'label') || repository.defaultBranch
  const wanted = { ...textsOf(view), ...namedIn(forge, view), author: personIn(forge, view), head, base }
  const refuse = refusalsOf(forge.traits, forge.url)
  return openPull({ state: forge.state, git: forge.git, traits: forge.traits, refuse }, repository, wanted)
}

/** Files of this branch alone that add up to these figures; at most the one line of a fresh repository is deleted. */
export function changeOf(
  branch: string,
  figures: {
    readonly additions: number
    readonly deletions: number
    readonly files: number
  },
): Record<string, string> {
  const { additions, deletions, files } = figures
  const changed: Record<string, string> = deletions > 0 ? { 'README.md': 'changed\n' } : {}
  const fresh = files - Object.keys(changed).length
  for (let index = 0; index < fresh; index += 1) {
    const lines = index === 0 ? additions - Object.keys(changed).length - (fresh - 1) : 1
    changed[`${branch.replaceAll('/', '-')}-${index}.txt`] = 'field\n'.repeat(lines)
  }
  return changed
}

export function seedComment(forge: ForgeServer, { view, written }: SeenThing): void {
  const issue = issueAt(forge, placeOf(view['html_url']))
  if (issue === undefined) return
  const by = forge.state.user(String((view['user'] as Seen)['login']))
  if (by === undefined) return
  const moved = issue.updatedAt
  forge.state.nextIds.entry = Number(view['id'])
  const entry = addEntry(forge.state, issue, {
    type: 'comment',
    user: by,
    body: 'body' in written ? 'before the edit' : String(view['body']),
  })
  Object.assign(entry, {
    createdAt: Date.parse(String(view['created_at'])),
    updatedAt: Date.parse(String(view['updated_at'])),
  })
  issue.updatedAt = moved
}
