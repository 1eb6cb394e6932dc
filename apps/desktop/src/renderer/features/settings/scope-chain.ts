import type { QueryOutput } from '../../lib/engine-client'
import type { SettingRow } from '@shared/contract/settings'
import type { SettingScope } from '@shared/model/settings'
import { formatSettingValue, type SettingKind } from './setting-looks'

export type ScopeRow = QueryOutput<'settings.scopes'>[number]

/** The scopes that a project sees, outermost first: the app, its organization, itself. */
export interface ScopeChain {
  readonly app: ScopeRow
  readonly organization: ScopeRow | null
  readonly project: ScopeRow | null
}

const appRow: ScopeRow = { scope: 'app', scopeId: 0, name: 'App', overrides: 0 }

/** Project names carry their organization: `harbour/freight-api`. */
export function ownName(row: ScopeRow): string {
  if (row.scope === 'app') return 'App'
  return row.scope === 'project' ? row.name.slice(row.name.lastIndexOf('/') + 1) : row.name
}

export function chainOf(scopes: readonly ScopeRow[], project: ScopeRow | null): ScopeChain {
  const app = scopes.find((row) => row.scope === 'app') ?? appRow
  // organizations of two forges may share a name; each stands before its own projects
  const before = project === null ? [] : scopes.slice(0, scopes.indexOf(project))
  const organization = before.findLast((row) => row.scope === 'organization')
  return { app, organization: organization ?? null, project }
}

export interface StripCell {
  readonly scope: SettingScope
  readonly name: string
  /** What the scope says; null when it says nothing. */
  readonly text: string | null
  readonly state: 'in-force' | 'overruled' | 'unset'
}

/** What each scope up to the edited one says about a setting; the right-most that says something is in force. */
export function stripCells(
  row: SettingRow,
  chain: ScopeChain,
  edited: SettingScope,
  control: SettingKind,
): readonly StripCell[] {
  const levels: readonly (readonly [SettingScope, ScopeRow | null, { readonly value?: unknown } | null])[] = [
    // the app always says something: its own value, or the built-in one
    ['app', chain.app, row.strip.app ?? { value: row.defaultValue }],
    ['organization', chain.organization, row.strip.organization],
    ['project', chain.project, row.strip.project],
  ]
  const shown = levels.slice(0, { app: 1, organization: 2, project: 3 }[edited])
  const winner = row.origin === 'default' ? 'app' : row.origin
  return shown.map(([scope, scopeRow, said]) => ({
    scope,
    name: scopeRow === null ? scope : ownName(scopeRow),
    text: said === null ? null : formatSettingValue(control, said.value),
    state: scope === winner ? 'in-force' : said === null ? 'unset' : 'overruled',
  }))
}

/** "App 45m, harbour 30m, in force, project not set". */
export const spokenStrip = (cells: readonly StripCell[]): string =>
  cells
    .map(({ scope, name, text, state }) => {
      if (text === null) return `${scope} not set`
      return state === 'in-force' ? `${name} ${text}, in force` : `${name} ${text}`
    })
    .join(', ')

/** Who speaks when the edited scope is reset: "Reset to harbour". */
export function resetTarget(row: SettingRow, chain: ScopeChain, edited: SettingScope): string {
  if (edited === 'project' && row.strip.organization !== null && chain.organization)
    return ownName(chain.organization)
  if (edited !== 'app' && row.strip.app !== null) return 'App'
  return edited === 'app' ? 'default' : 'App'
}
