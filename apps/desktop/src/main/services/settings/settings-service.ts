import type { SettingRow } from '@shared/contract/settings'
import { organizationIdSchema, projectIdSchema } from '@shared/model/ids'
import { adapterIdSchema } from '@shared/model/words'
import {
  settingDefinitions,
  settingKeySchema,
  settingScopeSchema,
  type SettingAddress,
  type SettingKey,
  type SettingScope,
} from '@shared/model/settings'
import { isCoveredBy, needsConsent } from '@shared/model/setting-consent'
import { err, ok, type Result } from '@shared/result'
import {
  checkSetting,
  resolveSettings,
  type SettingError,
  type SettingPlace,
} from '../../core/settings/resolve-settings'
import type { AgentAdapters } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { Store } from '../../ports/stores'
import { hasAgentForProjects, isDemonstration, onlyDemonstration } from '../runs/choose-adapter'
import type { ChangeFeed } from '../status/change-feed'
import { consentNeeded, storeAgreed, type ConsentNeeded } from './consent'

export interface SettingScopeRow {
  readonly scope: SettingScope
  readonly scopeId: number
  readonly name: string
  readonly overrides: number
}

export interface SettingsService {
  scopes(): SettingScopeRow[]
  list(scope: SettingScope, scopeId: number): SettingRow[]
  /** `hasConsent`: the person agreed to what the value means, where that is asked. */
  set(
    scope: SettingScope,
    scopeId: number,
    key: SettingKey,
    value: unknown,
    hasConsent?: boolean,
  ): Result<null, SettingError | ConsentNeeded>
  reset(scope: SettingScope, scopeId: number, key: SettingKey): Result<null, SettingError>
}

interface Parts {
  readonly store: Store
  readonly clock: Clock
  readonly changes: ChangeFeed
  readonly adapters: AgentAdapters
  readonly allowsDemonstration: boolean
  /** Called after a change, so that what depends on it takes notice at once. */
  readonly onChanged: () => void
}

export function createSettingsService(parts: Parts): SettingsService {
  const { store, clock, changes, onChanged } = parts
  const changed = (what: string, detail: Readonly<Record<string, unknown>>): Result<null, never> => {
    store.audit.add({ at: clock.now(), who: 'person', what, mailboxId: null, runId: null, detail })
    changes.publish({ type: 'settings' })
    onChanged()
    return ok(null)
  }
  return {
    scopes: () => scopesOf(store),
    list: (scope, scopeId) => rowsOf(store, placeOf(store, scope, scopeId), scope, scopeId),
    set(scope, scopeId, key, value, hasConsent = false) {
      if (!scopeExists(store, scope, scopeId))
        return err({ type: 'wrong_scope', message: `there is no ${scope} ${scopeId}` })
      const checked = checkSetting(key, scope, value)
      if (!checked.ok) return checked
      const refusal = key.startsWith('AGENT_ADAPTER')
        ? whyNotAdapter(parts, scope, scopeId, checked.value)
        : null
      if (refusal !== null) return err({ type: 'invalid_value', message: refusal })
      if (needsConsent(key, checked.value)) {
        const agreedAt = agreedBefore(store, { scope, scopeId, key }, checked.value)
        if (agreedAt !== null) store.settings.set(scope, scopeId, key, checked.value, clock.now(), agreedAt)
        else if (hasConsent) storeAgreed(parts, scope, scopeId, key, checked.value)
        else return err(consentNeeded(key))
      } else store.settings.set(scope, scopeId, key, checked.value, clock.now())
      return changed('setting set', { scope, scopeId, key, value: checked.value })
    },
    reset(scope, scopeId, key) {
      store.settings.reset(scope, scopeId, key)
      return changed('setting reset', { scope, scopeId, key })
    },
  }
}

/** When a person agreed to what already stands there and means all that the value does; null: to less, or nobody did. */
function agreedBefore(store: Store, address: SettingAddress, value: unknown): number | null {
  const { key } = address
  const stored = store.settings
    .list()
    .find((row) => row.scope === address.scope && row.scopeId === address.scopeId && row.key === key)
  return stored !== undefined && isCoveredBy(key, value, stored.value) ? stored.agreedAt : null
}

/** A demonstration adapter where a person's own projects would take it; null: the value may stand. */
function whyNotAdapter(parts: Parts, scope: SettingScope, scopeId: number, value: unknown): string | null {
  const named = adapterIdSchema.safeParse(value)
  if (!named.success || !isDemonstration(named.data) || parts.allowsDemonstration) return null
  const isReal = parts.store.forges
    .listProjects()
    .some(
      (project) =>
        !project.isDemo &&
        (scope === 'app' || scopeId === (scope === 'project' ? project.id : project.organizationId)),
    )
  if (!isReal) return null
  return hasAgentForProjects(parts.adapters)
    ? `The adapter ${named.data} works in the demo project only.`
    : onlyDemonstration
}

function scopesOf(store: Store): SettingScopeRow[] {
  const stored = store.settings.list()
  const row = (scope: SettingScope, scopeId: number, name: string): SettingScopeRow => ({
    scope,
    scopeId,
    name,
    overrides: stored.filter((setting) => setting.scope === scope && setting.scopeId === scopeId).length,
  })
  const projects = store.forges.listProjects()
  const organizations = [...new Set(projects.map((project) => project.organizationId))].map((id) =>
    store.forges.getOrganization(id),
  )
  return [
    row('app', 0, 'Alfred'),
    ...organizations.flatMap((organization) => [
      row('organization', organization.id, organization.slug),
      ...projects
        .filter((project) => project.organizationId === organization.id)
        .map((project) => row('project', project.id, `${organization.slug}/${project.slug}`)),
    ]),
  ]
}

function rowsOf(store: Store, place: SettingPlace, scope: SettingScope, scopeId: number): SettingRow[] {
  const resolved = resolveSettings(store.settings.list(), place)
  return settingKeySchema.options
    .filter((key) => scope === 'app' || !settingDefinitions[key].appOnly)
    .map((key) => {
      const definition = settingDefinitions[key]
      const strip = resolved.strips[key]
      const said = (at: SettingScope) => (Object.hasOwn(strip, at) ? { value: strip[at] } : null)
      const problem = resolved.problems.find(
        (found) => found.key === key && found.scope === scope && found.scopeId === scopeId,
      )
      return {
        key,
        label: definition.label,
        about: definition.about,
        type: definition.type,
        scopes: definition.appOnly ? ['app'] : settingScopeSchema.options,
        defaultValue: definition.fallback,
        value: resolved.values[key],
        origin: resolved.origins[key],
        strip: { app: said('app'), organization: said('organization'), project: said('project') },
        problem: problem?.message ?? null,
        unagreed: problem?.type === 'unagreed' ? { value: problem.value } : null,
      }
    })
}

function placeOf(store: Store, scope: SettingScope, scopeId: number): SettingPlace {
  if (scope === 'app') return { organizationId: null, projectId: null }
  if (scope === 'organization') return { organizationId: scopeId, projectId: null }
  return {
    organizationId: store.forges.getProject(projectIdSchema.parse(scopeId)).organizationId,
    projectId: scopeId,
  }
}

function scopeExists(store: Store, scope: SettingScope, scopeId: number): boolean {
  if (scope === 'app') return scopeId === 0
  const projects = store.forges.listProjects()
  if (scope === 'project') return projects.some((project) => project.id === scopeId)
  const organization = organizationIdSchema.safeParse(scopeId)
  return organization.success && projects.some((project) => project.organizationId === organization.data)
}
