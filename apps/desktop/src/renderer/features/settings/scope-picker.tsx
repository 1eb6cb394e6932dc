import { Segmented } from '../../components/segmented'
import { Select } from '../../components/select'
import type { SettingScope } from '@shared/model/settings'
import { ownName, type ScopeChain, type ScopeRow } from './scope-chain'

export interface ScopePickerProps {
  readonly scopes: readonly ScopeRow[]
  readonly chain: ScopeChain
  readonly edited: SettingScope
  readonly onEdit: (scope: SettingScope) => void
  readonly onProject: (project: ScopeRow) => void
}

/** For whom a change is written: the app, an organization or a project. */
export function ScopePicker({ scopes, chain, edited, onEdit, onProject }: ScopePickerProps) {
  const projects = scopes.filter((row) => row.scope === 'project')
  const levels = [chain.app, chain.organization, chain.project].filter((row) => row !== null)
  return (
    <>
      <span className="hidden flex-none text-12 text-ink-3 wide:inline">Editing for</span>
      <Segmented
        label="Editing for"
        value={edited}
        onChange={onEdit}
        options={levels.map((row) => ({ value: row.scope, label: ownName(row), test: `scope-${row.scope}` }))}
        test="settings-scope"
      />
      {projects.length > 1 && chain.project && (
        <Select
          label="Project"
          value={String(chain.project.scopeId)}
          onChange={(next) => {
            const project = projects.find((row) => String(row.scopeId) === next)
            if (project) onProject(project)
          }}
          options={projects.map((row) => ({
            value: String(row.scopeId),
            label: row.name,
            note: row.overrides > 0 ? `${row.overrides} set` : undefined,
          }))}
          className="w-36 flex-none"
          test="settings-project"
        />
      )}
    </>
  )
}
