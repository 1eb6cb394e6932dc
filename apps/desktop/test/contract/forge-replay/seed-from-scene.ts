import type { ForgeServer } from '../../fakes/forge-server/forge-server'
import type { ForgeIssue, ForgeRepository, ForgeUser, Role } from '../../fakes/forge-server/forge-model'
import { setOpen, addEntry } from '../../fakes/forge-server/acts/issue-acts'
import { refusalsOf } from '../../fakes/forge-server/answer'
import { openPull } from '../../fakes/forge-server/acts/open-pull'
import { fullName } from '../../fakes/forge-server/forge-state'
import { openIssue } from '../../fakes/forge-server/acts/open-issue'
import type { RecordedExchange, RecordedScene } from '../../fixtures/forge-recordings'
import { madeBy, placeOf, thingsOf, type Seen, type SeenThing } from './recorded-things'

/*
 * A fake forge in the state in which a scene began: the cast of all scenes, and what the scene's own answers show.
 * What was made in the middle of a scene without being recorded appears here at its time, too.
 */

const cast = ['admin', 'alfred-bot', 'dev', 'reader', 'outsider', 'leaver', 'suspended'] as const

export interface SceneSeed {
  /** Adds what existed at this time (epoch milliseconds) or is needed by the exchange. */
  appear(now: number, exchange: RecordedExchange): Promise<void>
}

/** Does something while the forge's clock stands at a time of the past. */
export type AtTime = (time: number, act: () => Promise<void>) => Promise<void>

export async function seedFromScene(
  forge: ForgeServer,
  scene: RecordedScene,
  { hasWorld, at }: { readonly hasWorld: boolean; readonly at: AtTime },
): Promise<SceneSeed> {
  const things = [...thingsOf(scene).values()]
  const made = madeBy(scene)
  seedPeople(forge, things, scene)
  let left = things.filter(({ kind, key }) => kind !== 'user' && !made.has(key))
  if (hasWorld) for (const path of world) await repositoryFor(forge, path, things)
  return {
    appear: async (now, exchange) => {
      const due = left.filter((thing) => isDue(thing, now, exchange) || isOldLabel(thing, made))
      left = left.filter((thing) => !due.includes(thing))
      const ordered = (['repository', 'label', 'issue', 'pull', 'comment'] as const).flatMap((kind) =>
        due.filter((thing) => thing.kind === kind),
      )
      for (const thing of ordered) {
        await at(thing.createdAt ?? now, () => seedThing(forge, thing, things))
      }
      await standNamed(forge, exchange, things)
    },
  }
}

/** Places that no answer shows, and that the exchange finds all the same. */
async function standNamed(
  forge: ForgeServer,
  { request, response }: RecordedExchange,
  things: readonly SeenThing[],
): Promise<void> {
  const [, path = '', number] =
    /^\/api\/v1\/repos\/([^/]+\/[^/?]+)(?:\/issues\/(\d+)(?:\/|$|\?))?/.exec(request?.path ?? '') ?? []
  if (response === undefined || response.status >= 300) return
  if (world.some((each) => each === path)) await repositoryFor(forge, path, things)
  if (number === undefined || issueAt(forge, `${path}/${number}`) !== undefined) return
  const repository = repositoryOf(forge, path)
  if (repository === undefined) return
  const next = repository.nextNumber
  repository.nextNumber = Number(number)
  forge.seed.issue(path, { title: 'Not recorded', by: 'dev' })
  repository.nextNumber = Math.max(next, Number(number) + 1)
}

/** Within one second nobody knows what came first; what the request itself names was there. */
function isDue(thing: SeenThing, now: number, { n, request }: RecordedExchange): boolean {
  if (thing.n <= n) return true
  if (thing.createdAt !== null && thing.createdAt < now) return true
  if (thing.kind !== 'issue' && thing.kind !== 'pull') return false
  const [owner, name, number] = thing.key.replace('issue:', '').split('/')
  const named = new RegExp(`/repos/${String(owner)}/${String(name)}/(issues|pulls)/${String(number)}(\\W|$)`)
  return thing.createdAt === now && named.test(request?.path ?? '')
}

/** Labels have no time: one with a smaller id than those that the scene makes was there before. */
function isOldLabel({ kind, key }: SeenThing, made: ReadonlySet<string>): boolean {
  if (kind !== 'label') return false
  const ids = [...made].filter((each) => each.startsWith('label:')).map((each) => Number(each.slice(6)))
  return ids.length > 0 && Number(key.slice(6)) < Math.min(...ids)
}

function seedPeople(forge: ForgeServer, things: readonly SeenThing[], scene: RecordedScene): void {
  const { kind } = scene.server
  const seen = (login: string): Seen | undefined => things.find(({ key }) => key === `user:${login}`)?.view
  for (const [index, name] of cast.entries()) {
    const login = name === 'admin' && kind === 'forgejo' ? 'site-admin' : name
    forge.seed.user(login, {
      id: index + 1,
      isAdmin: name === 'admin',
      password: 'password',
      email: `${name}@forge.example`,
      fullName: textIn(seen(login), 'full_name'),
    })
  }
  const [owner = 'admin'] = kind === 'forgejo' ? ['site-admin'] : ['admin']
  const members: Record<string, Role> = {
    [owner]: 'admin',
    'alfred-bot': 'write',
    dev: 'write',
    reader: 'read',
    // Gone since scene 07.
    ...(scene.scene < '07' ? { leaver: 'read' } : {}),
  }
  forge.seed.organization('acme', members, { id: 8, fullName: 'Acme' })
}

async function seedThing(forge: ForgeServer, thing: SeenThing, things: readonly SeenThing[]): Promise<void> {
  switch (thing.kind) {
    case 'repository':
      await repositoryFor(forge, String(thing.view['full_name']), things)
      return
    case 'label':
      return seedLabel(forge, thing.view, things)
    case 'issue':
      return seedIssue(forge, thing, things)
    case 'comment':
      return seedComment(forge, thing)
    case 'pull':
      return seedPull(forge, thing, things)
    case 'user':
      return
  }
}

/** The places that were there before all scenes, in the order of their ids. */
const world = [
  'acme/shop',
  'acme/empty',
  'acme/old',
  'acme/list',
  'dev/solo',
  'dev/readonly',
  'dev/open',
] as const

const publicPlaces = new Set(['dev/open', 'outsider/square'])

function textIn(view: Seen | undefined, field: string): string {
  const text = view?.[field]
  return typeof text === 'string' ? text : ''
}

/** Roles that the cast has in people's own repositories. */
const collaborators: Readonly<Record<string, Readonly<Record<string, Role>>>> = {
  'dev/solo': { 'alfred-bot': 'write' },
  'dev/readonly': { 'alfred-bot': 'read' },
  'outsider/place': { 'alfred-bot': 'write' },
}

/** The repository of this name: as the scene shows it, else as it was before all scenes. */
async function repositoryFor(
  forge: ForgeServer,
  path: string,
  things: readonly SeenThing[],
): Promise<ForgeRepository> {
  const known = repositoryOf(forge, path)
  if (known !== undefined) return known
  const shown = things.find(({ kind, view }) => kind === 'repository' && view['full_name'] === path)?.view
  const place = 1 + world.findIndex((each) => each === path)
  const repository = await forge.seed.repository(path, {
    ...(shown !== undefined ? { id: Number(shown['id']) } : place > 0 ? { id: place } : {}),
    isPrivate: shown === undefined ? !publicPlaces.has(path) : shown['private'] === true,
    isArchived: shown === undefined ? path === 'acme/old' : shown['archived'] === true,
    defaultBranch: textIn(shown, 'default_branch') || 'main',
    collaborators: collaborators[path] ?? {},
    by: 'alfred-bot',
    files: (shown === undefined ? path === 'acme/empty' : shown['empty'] === true)
      ? null
      : { 'README.md': `# ${path}\n` },
  })
  repository.hasIssues = shown?.['has_issues'] !== false
  repository.hasPulls = shown?.['has_pull_requests'] !== false
  // Numbers of issues go on where they stood; the ones that a scene makes are set as it goes.
  repository.nextNumber = 1 + Math.max(0, ...things.map(({ key }) => numberIn(key, path)))
  return repository
}

const numberIn = (key: string, path: string): number =>
  key.startsWith(`issue:${path}/`) ? Number(key.split('/').at(-1)) : 0

async function seedLabel(forge: ForgeServer, view: Seen, things: readonly SeenThing[]): Promise<void> {
  if (forge.state.labelWithId(Number(view['id'])) !== undefined) return
  const address = String(view['url'])
  const [, organization] = /\/orgs\/([^/]+)\/labels/.exec(address) ?? []
  const [, repository] = /\/repos\/([^/]+\/[^/]+)\/labels/.exec(address) ?? []
  const place = organization ?? repository
  if (place === undefined) return
  if (repository !== undefined) await repositoryFor(forge, repository, things)
  forge.seed.label(place, String(view['name']), {
    id: Number(view['id']),
    color: String(view['color']),
    description: String(view['description']),
    isExclusive: view['exclusive'] === true,
    isArchived: view['is_archived'] === true,
  })
}

const loginsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((user: Seen) => String(user['login'])) : []

function repositoryOf(forge: ForgeServer, place: string): ForgeRepository | undefined {
  const [owner = '', name = ''] = place.split('/')
  return forge.state.repository(owner, name)
}

async function seedIssue(forge: ForgeServer, thing: SeenThing, things: readonly SeenThing[]): Promise<void> {
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
  if (view['state'] === 'closed') setOpen(forge.state, issue, false, author)
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

async function seedPull(forge: ForgeServer, thing: SeenThing, things: readonly SeenThing[]): Promise<void> {
  const { view } = thing
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
    await forge.seed.commit(path, head, changeOf({ additions, deletions, files }), { by: 'alfred-bot' })
  }
  const base = textIn(view['base'] as Seen | undefined, 'label') || repository.defaultBranch
  const wanted = { ...textsOf(view), ...namedIn(forge, view), author: personIn(forge, view), head, base }
  const refuse = refusalsOf(forge.traits, forge.url)
  return openPull({ state: forge.state, git: forge.git, traits: forge.traits, refuse }, repository, wanted)
}

/** Files that differ from a fresh repository by these figures; at most its one line is deleted. */
export function changeOf(figures: {
  readonly additions: number
  readonly deletions: number
  readonly files: number
}): Record<string, string> {
  const { additions, deletions, files } = figures
  const changed: Record<string, string> = deletions > 0 ? { 'README.md': 'changed\n' } : {}
  const fresh = files - Object.keys(changed).length
  for (let index = 0; index < fresh; index += 1) {
    const lines = index === 0 ? additions - Object.keys(changed).length - (fresh - 1) : 1
    changed[index === 0 ? 'search.txt' : `file-${index}.txt`] = 'field\n'.repeat(lines)
  }
  return changed
}

function seedComment(forge: ForgeServer, { view, written }: SeenThing): void {
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

export function issueAt(forge: ForgeServer, place: string): ForgeIssue | undefined {
  const number = Number(place.split('/').at(-1))
  return repositoryOf(forge, place)?.issues.find((issue) => issue.number === number)
}
