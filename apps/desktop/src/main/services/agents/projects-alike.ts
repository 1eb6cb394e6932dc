import type { Project } from '@shared/model/records'
import {
  agentPhases,
  type SettingScope,
  type SettingValues,
  type StoredSetting,
} from '@shared/model/settings'
import type { AdapterId } from '@shared/model/words'
import { settingsOfPhase } from '../../core/settings/phase-settings'
import { appPlace, resolveSettings } from '../../core/settings/resolve-settings'
import type { AgentAdapters } from '../../ports/agent-adapter'
import type { BuiltImage, Installation, Store } from '../../ports/stores'
import { chooseAdapter } from '../runs/choose-adapter'

/*
 * Watched projects, put together where the same settings of agents hold for them: many projects have few settings, and
 * only those that differ from the app's need a look of their own.
 */

/** For each adapter that runs would take, the providers that they would name. */
export type ProvidersInUse = ReadonlyMap<AdapterId, ReadonlySet<string | null>>

export interface ProjectsAlike {
  /** Resolved from those that decide here; the others stand at their defaults. */
  readonly settings: SettingValues
  readonly inUse: ProvidersInUse
  /** `harbour/pier`; empty where nothing but the app's settings hold. */
  readonly names: readonly string[]
}

export interface AgentPlaces {
  /** The settings of the app, and what a person's project without own ones would use. */
  readonly app: ProjectsAlike
  readonly projects: readonly ProjectsAlike[]
}

interface Parts {
  readonly store: Store
  readonly adapters: AgentAdapters
  readonly allowsDemonstration: boolean
}

/** Which CLIs were found, and the images that were built. */
interface Seen {
  readonly installations: readonly Installation[]
  readonly images: readonly BuiltImage[]
}

/** What decides about the agent of a run, its login and its memory. */
const decides =
  /^AGENT_(?:ADAPTER|IMAGE|PROVIDER|MODEL|RUNNER|SESSION_RESUME|CREDENTIAL_MOUNTS|CREDENTIAL_ENV)/

/** As the settings are now. */
export function agentPlaces(parts: Parts): AgentPlaces {
  const { store } = parts
  const seen: Seen = { installations: store.installations.list(), images: store.images.list() }
  const stored = store.settings.list().filter(({ key }) => decides.test(key))
  const byScope = groupBy(stored, ({ scope, scopeId }) => `${scope} ${scopeId}`)
  const rowsOf = (scope: SettingScope, scopeId: number): readonly StoredSetting[] =>
    byScope.get(`${scope} ${scopeId}`) ?? []
  const ownRows = ({ id, organizationId }: Project): readonly StoredSetting[] => [
    ...rowsOf('organization', organizationId),
    ...rowsOf('project', id),
  ]
  const ofApp = rowsOf('app', 0)
  const appSettings = resolveSettings(ofApp, appPlace).values

  const toPlace = (group: readonly [Project, ...Project[]]): ProjectsAlike => {
    const [project] = group
    const own = ownRows(project)
    const place = { organizationId: project.organizationId, projectId: project.id }
    const settings = own.length > 0 ? resolveSettings([...ofApp, ...own], place).values : appSettings
    const inUse = providersInUse(parts, seen, settings, project)
    return { settings, inUse, names: own.length > 0 ? namesOf(store, group) : [] }
  }
  const watched = store.forges.listProjects().filter(({ isWatched }) => isWatched)
  const alike = groupBy(watched, (project) =>
    // Without whose they are: the same, said by two organizations, is the same.
    JSON.stringify([project.isDemo, ownRows(project).map(({ scope, key, value }) => [scope, key, value])]),
  )
  return {
    app: {
      settings: appSettings,
      inUse: providersInUse(parts, seen, appSettings, { isDemo: false }),
      names: [],
    },
    projects: [...alike.values()].map(toPlace),
  }
}

const namesOf = (store: Store, projects: readonly Project[]): readonly string[] =>
  projects.map(({ organizationId, slug }) => `${store.forges.getOrganization(organizationId).slug}/${slug}`)

function providersInUse(
  { adapters, allowsDemonstration }: Parts,
  seen: Seen,
  settings: SettingValues,
  project: Pick<Project, 'isDemo'>,
): ProvidersInUse {
  const found = new Map<AdapterId, Set<string | null>>()
  for (const phase of agentPhases) {
    const ofPhase = settingsOfPhase(settings, phase)
    const facts = { settings: ofPhase, phase, project, ...seen, adapters, allowsDemonstration }
    const adapter = chooseAdapter(facts)
    if (!adapter.ok) continue
    found.set(adapter.value, (found.get(adapter.value) ?? new Set()).add(ofPhase.AGENT_PROVIDER))
  }
  return found
}

/** In order of appearance. */
export function groupBy<T, K>(
  items: readonly T[],
  keyOf: (item: T) => K,
): ReadonlyMap<K, readonly [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

const mostNames = 3

/** `harbour/pier, harbour/quay, bay/shed and 4 more` */
export function projectNames(names: readonly string[]): string {
  const told = names.slice(0, mostNames).join(', ')
  return names.length > mostNames ? `${told} and ${names.length - mostNames} more` : told
}
