import type { StandIn } from '@shared/contract/app'
import type { Project } from '@shared/model/records'
import { agentPhases, type AgentPhase, type SettingValues } from '@shared/model/settings'
import type { AdapterId } from '@shared/model/words'
import { keyOfPhase, settingsOfPhase } from '../../core/settings/phase-settings'
import type { ResolvedSettings } from '../../core/settings/resolve-settings'
import type { AgentAdapters } from '../../ports/agent-adapter'
import type { Store } from '../../ports/stores'
import { chooseAdapter } from '../runs/choose-adapter'
import type { SettingReader } from '../settings/setting-values'
import { waitingBanners } from '../status/waiting-banners'
import type { AgentCredentials } from './agent-credentials'

/*
 * Who could work in the place of an agent whose account is used up, and which settings would have to say so. One is
 * named only if it is installed, signed in and can do everything that new runs of the other one would have done.
 */

interface Parts {
  readonly store: Store
  readonly adapters: AgentAdapters
  readonly settings: SettingReader
  readonly credentials: Pick<AgentCredentials, 'login'>
  readonly allowsDemonstration: boolean
}

/** What new runs of one phase of a project go by. */
interface Use {
  readonly project: Project
  readonly phase: AgentPhase
  readonly settings: SettingValues
  readonly place: StandIn['places'][number]
}

/** null: nobody could, or no setting leads to the agent. */
export async function standInFor(parts: Parts, used: AdapterId): Promise<StandIn | null> {
  const { store, adapters } = parts
  const usesOfAll = store.forges
    .listProjects()
    .filter(({ isWatched }) => isWatched)
    .flatMap((project) => usesOf(parts, project))
  const isOfUsed = (use: Use): boolean => chosen(parts, use) === used
  const places = distinct(usesOfAll.filter(isOfUsed).map(({ place }) => place))
  if (places.length === 0) return null
  // A place without a value leads to whatever is installed: what it leads to elsewhere changes as well.
  const keys = new Set(places.map(keyOf))
  const uses = usesOfAll.filter(({ place }) => keys.has(keyOf(place)))
  const away = new Set(waitingBanners(store.runs.listLive()).map(({ facts }) => facts['adapter']))
  for (const { id } of adapters.all())
    if (id !== used && !away.has(id) && (await canDo(parts, id, uses))) return { adapter: id, places }
  return null
}

function usesOf({ settings }: Parts, project: Project): readonly Use[] {
  const resolved = settings.of(project)
  return agentPhases.map((phase) => ({
    project,
    phase,
    settings: settingsOfPhase(resolved.values, phase),
    place: placeOf(project, resolved, phase),
  }))
}

/** Where it is said which agent does the phase; where nobody says it, the app would. */
function placeOf(project: Project, { values, origins }: ResolvedSettings, phase: AgentPhase): Use['place'] {
  const ofPhase = keyOfPhase('AGENT_ADAPTER', phase)
  const key = values[ofPhase] === null ? 'AGENT_ADAPTER' : ofPhase
  const before = values[key]
  switch (origins[key]) {
    case 'project':
      return { scope: 'project', scopeId: project.id, key, before }
    case 'organization':
      return { scope: 'organization', scopeId: project.organizationId, key, before }
    case 'app':
    case 'default':
      return { scope: 'app', scopeId: 0, key, before }
  }
}

const keyOf = ({ scope, scopeId, key }: Use['place']): string => `${scope} ${scopeId} ${key}`

const distinct = (places: StandIn['places']): StandIn['places'] => [
  ...new Map(places.map((place) => [keyOf(place), place])).values(),
]

function chosen(
  { store, adapters, allowsDemonstration }: Parts,
  { project, phase, settings }: Pick<Use, 'project' | 'phase' | 'settings'>,
  only?: AdapterId,
): AdapterId | null {
  const all = store.installations.list()
  const adapter = chooseAdapter({
    settings,
    phase,
    project,
    installations: only === undefined ? all : all.filter((row) => row.adapter === only),
    images: store.images.list(),
    adapters,
    allowsDemonstration,
  })
  return adapter.ok ? adapter.value : null
}

async function canDo(parts: Parts, id: AdapterId, uses: readonly Use[]): Promise<boolean> {
  const adapter = parts.adapters.find(id)
  if (adapter === null || adapter.needsModel === true) return false
  for (const use of uses) {
    // A provider and a model are named for the agent that is used up.
    if (use.settings.AGENT_PROVIDER !== null || use.settings.AGENT_MODEL !== null) return false
    // Where nobody is named, only one that is installed is taken.
    const unnamed = { ...use, settings: { ...use.settings, AGENT_ADAPTER: null } }
    if (chosen(parts, unnamed, id) !== id) return false
    const scope = { settings: use.settings, provider: null, runner: use.settings.AGENT_RUNNER }
    const login = await parts.credentials.login(adapter, scope)
    if (login !== 'found' && login !== 'not_needed') return false
  }
  return true
}
