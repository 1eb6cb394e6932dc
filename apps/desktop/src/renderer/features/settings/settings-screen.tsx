import { useState, type ReactNode } from 'react'
import type { SettingRow } from '@shared/contract/settings'
import type { SettingScope } from '@shared/model/settings'
import { EmptyState } from '../../components/empty-state'
import { Icon, type IconName } from '../../components/icon'
import { SearchInput } from '../../components/search-input'
import { SkeletonRows } from '../../components/skeleton'
import { classNames } from '../../lib/class-names'
import { onRovingKey, rovingButton } from '../../lib/keyboard/roving-buttons'
import { openView } from '../../lib/navigation/store'
import { useQueryEntry } from '../../lib/use-query-entry'
import { Appearance } from './appearance'
import { chainOf, ownName, type ScopeRow } from './scope-chain'
import { ScopePicker } from './scope-picker'
import { SettingLine } from './setting-line'
import { settingLooks, type SettingSection } from './setting-looks'
import type { SettingPlace } from './use-setting-draft'

export interface SettingsScreenProps {
  readonly scope: SettingScope | null
  readonly scopeId: number | null
  /** The setting to show first. */
  readonly settingKey: string | null
}

type Section = 'all' | SettingSection | 'appearance'

const sections: readonly { readonly id: Section; readonly label: string; readonly icon: IconName }[] = [
  { id: 'all', label: 'All settings', icon: 'list' },
  { id: 'workflow', label: 'Workflow', icon: 'workflow' },
  { id: 'sessions', label: 'Sessions', icon: 'link' },
  { id: 'agents', label: 'Agents', icon: 'cpu' },
  { id: 'sandbox', label: 'Sandbox', icon: 'shield' },
  { id: 'limits', label: 'Limits', icon: 'activity' },
  { id: 'notifications', label: 'Notifications', icon: 'bell' },
  { id: 'appearance', label: 'Appearance', icon: 'sun' },
]

/** Settings by scope: the right-most value wins, and the screen shows which one that is. */
export function SettingsScreen({ scope, scopeId, settingKey }: SettingsScreenProps) {
  const { data: scopes } = useQueryEntry('settings.scopes', {})
  const [section, setSection] = useState<Section>('all')
  if (!scopes)
    return <main className="min-w-0 flex-1 bg-surface" data-test="settings-screen" data-state="loading" />
  const wanted = scopes.find((row) => row.scope === scope && row.scopeId === scopeId)
  return (
    <div className="flex min-h-0 min-w-0 flex-1" data-test="settings-screen">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys of the buttons inside */}
      <nav
        className="w-[150px] flex-none border-r border-line bg-bg px-2 py-3 wide:w-[172px]"
        aria-label="Sections"
        data-pane="sections"
        onKeyDown={onRovingKey}
      >
        {sections.map((entry) => (
          <button
            key={entry.id}
            type="button"
            className={classNames(
              'mb-0.5 flex h-7 w-full items-center gap-2 rounded-control px-2 text-left text-12 text-ink-2 hover:bg-hover',
              section === entry.id && 'bg-selected font-strong text-ink',
            )}
            {...rovingButton(section === entry.id)}
            aria-current={section === entry.id || undefined}
            data-test={`section-${entry.id}`}
            onClick={() => setSection(entry.id)}
          >
            <Icon name={entry.icon} size={14} className={section === entry.id ? 'text-accent' : undefined} />
            {entry.label}
          </button>
        ))}
        <button
          type="button"
          className="mb-0.5 flex h-7 w-full items-center gap-2 rounded-control px-2 text-left text-12 text-ink-2 hover:bg-hover"
          {...rovingButton(false)}
          data-test="settings-forges"
          onClick={() => openView({ screen: 'forges' })}
        >
          <Icon name="plug" size={14} />
          Forges
        </button>
      </nav>
      <main className="flex min-w-0 flex-1 flex-col bg-surface" data-pane="settings">
        {section === 'appearance' ? (
          <>
            <Heading title="Appearance" />
            <div className="min-h-0 grow overflow-y-auto">
              <Appearance />
            </div>
          </>
        ) : (
          <ScopedSettings
            key={`${scope}:${scopeId}`}
            scopes={scopes}
            wanted={wanted ?? null}
            section={section}
            settingKey={settingKey}
          />
        )}
      </main>
    </div>
  )
}

function Heading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="flex h-[52px] flex-none items-center gap-3 border-b border-line px-5">
      <h1 className="flex-none text-16 font-semibold">{title}</h1>
      <span className="grow" />
      {children}
    </div>
  )
}

interface ScopedSettingsProps {
  readonly scopes: readonly ScopeRow[]
  readonly wanted: ScopeRow | null
  readonly section: Exclude<Section, 'appearance'>
  readonly settingKey: string | null
}

function ScopedSettings({ scopes, wanted, section, settingKey }: ScopedSettingsProps) {
  const firstProject = scopes.find((row) => row.scope === 'project') ?? null
  const [project, setProject] = useState<ScopeRow | null>(wanted?.scope === 'project' ? wanted : firstProject)
  const [edited, setEdited] = useState<SettingScope>(wanted?.scope ?? 'app')
  const [text, setText] = useState('')
  const [onlySet, setOnlySet] = useState(false)

  const chain = chainOf(
    scopes,
    scopes.find((row) => row.scope === 'project' && row.scopeId === project?.scopeId) ?? null,
  )
  const current =
    { app: chain.app, organization: chain.organization, project: chain.project }[edited] ?? chain.app
  const place: SettingPlace = { scope: current.scope, scopeId: current.scopeId }
  const { data: rows } = useQueryEntry('settings.list', place, { keepPrevious: true })
  const shown = rows?.filter(
    (row) => isInSection(row, section) && matches(row, text) && (!onlySet || isSetIn(row, current.scope)),
  )
  const setCount = rows?.filter((row) => isSetIn(row, current.scope)).length ?? 0
  return (
    <>
      <Heading title={sections.find((entry) => entry.id === section)?.label ?? ''}>
        <ScopePicker
          scopes={scopes}
          chain={chain}
          edited={edited}
          onEdit={setEdited}
          onProject={setProject}
        />
        <SearchInput
          label="Find a setting"
          value={text}
          onChange={setText}
          className="w-36 wide:w-44"
          test="find-setting"
        />
      </Heading>
      <div className="flex flex-none items-center gap-2 border-b border-line bg-bg px-5 py-2 text-12 text-ink-2">
        <Icon name="info" size={14} className="text-ink-3" />
        <span className="cut grow">
          {`The right-most value wins. The marked one is in force; a change here is written for ${current.scope === 'app' ? 'the whole app' : `${ownName(current)} only`}.`}
        </span>
        <span className="chip bg-accent-soft text-accent" data-test="override-count" data-value={setCount}>
          {`${setCount} set here`}
        </span>
        <button
          type="button"
          className="link flex-none text-12"
          aria-pressed={onlySet}
          onClick={() => setOnlySet(!onlySet)}
        >
          {onlySet ? 'Show all' : 'Show only these'}
        </button>
      </div>
      <div className="min-h-0 grow overflow-y-auto">
        {!shown && <SkeletonRows count={8} height={72} />}
        {shown?.map((row) => (
          <SettingLine
            key={row.key}
            row={row}
            place={place}
            chain={chain}
            isWanted={row.key === settingKey}
          />
        ))}
        {shown?.length === 0 && (
          <EmptyState
            motif={{ icon: 'settings' }}
            title={onlySet && text === '' ? 'Nothing is set here' : 'No setting matches'}
            test="empty-search"
          >
            {onlySet && text === ''
              ? 'All values come from the scopes above.'
              : 'Search by name, key or what it does.'}
          </EmptyState>
        )}
      </div>
    </>
  )
}

const isSetIn = (row: SettingRow, scope: SettingScope): boolean => row.strip[scope] !== null

const isInSection = (row: SettingRow, section: Section): boolean =>
  section === 'all' || settingLooks[row.key].section === section

function matches(row: SettingRow, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return `${row.label} ${row.key} ${row.about}`.toLowerCase().includes(wanted)
}
