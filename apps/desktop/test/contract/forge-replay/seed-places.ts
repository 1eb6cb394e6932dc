import type { ForgeServer } from '../../fakes/forge-server/forge-server'
import type { ForgeIssue, ForgeRepository, Role } from '../../fakes/forge-server/forge-model'
import type { RecordedScene } from '../../fixtures/forge-recordings'
import type { Seen, SeenThing } from './recorded-things'

/*
 * The people and places of all scenes: as a scene shows them, else as they were before all scenes.
 */

const cast = ['admin', 'alfred-bot', 'dev', 'reader', 'outsider', 'leaver', 'suspended'] as const

export function seedPeople(forge: ForgeServer, things: readonly SeenThing[], scene: RecordedScene): void {
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

/** The places that were there before all scenes, in the order of their ids. */
export const world = [
  'acme/shop',
  'acme/empty',
  'acme/old',
  'acme/list',
  'dev/solo',
  'dev/readonly',
  'dev/open',
] as const

const publicPlaces = new Set(['dev/open', 'outsider/square'])

export function textIn(view: Seen | undefined, field: string): string {
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
export async function repositoryFor(
  forge: ForgeServer,
  path: string,
  things: readonly SeenThing[],
): Promise<ForgeRepository> {
  const known = repositoryOf(forge, path)
  if (known !== undefined) return known
  const shown = things.find(({ kind, view }) => kind === 'repository' && view['full_name'] === path)?.view
  const renamed = forge.state.repositories.find(({ id }) => id === shown?.['id'])
  if (renamed !== undefined) return renamed
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

export async function seedLabel(forge: ForgeServer, view: Seen, things: readonly SeenThing[]): Promise<void> {
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

export function repositoryOf(forge: ForgeServer, place: string): ForgeRepository | undefined {
  const [owner = '', name = ''] = place.split('/')
  return forge.state.repository(owner, name)
}

export function issueAt(forge: ForgeServer, place: string): ForgeIssue | undefined {
  const number = Number(place.split('/').at(-1))
  return repositoryOf(forge, place)?.issues.find((issue) => issue.number === number)
}
