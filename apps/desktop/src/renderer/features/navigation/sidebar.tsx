import { useMemo, type ReactNode, type Ref } from 'react'
import type { ProjectSummary } from '@shared/contract/mailboxes'
import type { MailboxFilter } from '@shared/model/words'
import { Icon, type IconName } from '../../components/icon'
import { SearchInput } from '../../components/search-input'
import { ariaShortcut } from '../../lib/keyboard/key-label'
import { keysOf, type ActionId } from '../../lib/keyboard/key-map'
import { onRovingKey, rovingButton } from '../../lib/keyboard/roving-buttons'
import { openHome, useNavigation } from '../../lib/navigation/store'
import type { Screen } from '../../lib/navigation/view'
import { useQueryEntry } from '../../lib/use-query-entry'
import { filters, forgeTags } from './filters'
import { groupProjects } from './group-projects'
import { hasEntry, screenEntries } from './screen-entries'
import { useAgentProblems } from './use-attention'

export interface SidebarProps {
  readonly text: string
  readonly onTextChange: (text: string) => void
  readonly inputRef: Ref<HTMLInputElement>
  /** Beside the last group of projects: what adds one. */
  readonly projectActions?: ReactNode
  /** The line that is dragged, at the edge of the sidebar. */
  readonly splitter?: ReactNode
}

/** Filters with their counts, projects by organization, and the screens below. */
export function Sidebar({ text, onTextChange, inputRef, projectActions, splitter }: SidebarProps) {
  const { data: counts } = useQueryEntry('mailboxes.counts', {})
  const { data: projects } = useQueryEntry('mailboxes.projects', {})
  const view = useNavigation((state) => state.view)
  const isHome = view.screen === 'home'
  const groups = useMemo(() => groupProjects(projects ?? []), [projects])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys of the buttons inside
    <nav
      className="side"
      data-test="sidebar"
      data-pane="sidebar"
      aria-label="Mailboxes and screens"
      onKeyDown={onRovingKey}
    >
      <SearchInput
        ref={inputRef}
        className="mx-0.5 mb-1.5 flex-none"
        label="Filter this list"
        keys="/"
        value={text}
        onChange={(value) => {
          onTextChange(value)
          if (!isHome) openHome()
        }}
        test="filter-text"
      />
      {filters.map((entry, index) => (
        <NavButton
          key={entry.filter}
          isFallbackStop={index === 0 && !hasEntry(view.screen)}
          label={entry.label}
          icon={entry.icon}
          isCurrent={isHome && view.projectId === null && view.filter === entry.filter}
          action={entry.action}
          test={`filter-${entry.filter}`}
          onClick={() => openHome({ filter: entry.filter, projectId: null, mailboxId: null })}
        >
          <FilterCount filter={entry.filter} count={counts?.[entry.filter] ?? null} />
        </NavButton>
      ))}
      <div className="min-h-0 grow overflow-y-auto">
        {groups.map((group) => (
          <section key={group.key} aria-label={group.organization}>
            <h2 className="side-group">
              <span className="cut">{group.organization}</span>
              <span className="tag" title={`${forgeTags[group.forgeKind].name} · ${group.forgeName}`}>
                {forgeTags[group.forgeKind].tag}
              </span>
            </h2>
            {group.projects.map((project) => (
              <ProjectButton
                key={project.id}
                project={project}
                isCurrent={isHome && view.projectId === project.id}
              />
            ))}
          </section>
        ))}
        {projectActions}
      </div>
      <ScreenButtons current={view.screen} />
      {splitter}
    </nav>
  )
}

function FilterCount({ filter, count }: { readonly filter: MailboxFilter; readonly count: number | null }) {
  if (count === null) return null
  const isHot = filter === 'needs-you' && count > 0
  return <span className={isHot ? 'count nav-hot' : 'count'}>{count}</span>
}

function ProjectButton({
  project,
  isCurrent,
}: {
  readonly project: ProjectSummary
  readonly isCurrent: boolean
}) {
  return (
    <button
      type="button"
      className="nav nav-sub"
      {...rovingButton(isCurrent)}
      aria-current={isCurrent ? 'page' : undefined}
      data-test={`project-${project.slug}`}
      onClick={() =>
        openHome({ filter: 'all-open', projectId: isCurrent ? null : project.id, mailboxId: null })
      }
    >
      <span className="cut mono text-12">{project.slug}</span>
      <span className="count">{project.openCount}</span>
    </button>
  )
}

function ScreenButtons({ current }: { readonly current: Screen }) {
  const problems = useAgentProblems()
  return screenEntries.map(({ screen, label, icon, action, open }) => (
    <NavButton
      key={screen}
      label={label}
      icon={icon}
      isCurrent={current === screen}
      action={action}
      test={action}
      onClick={open}
    >
      {screen === 'agents' && problems > 0 && (
        <span
          className="count ml-auto flex items-center gap-[3px] font-semibold text-warn"
          title="Not signed in"
        >
          <Icon name="warning" size={12} />
          {problems}
        </span>
      )}
    </NavButton>
  ))
}

interface NavButtonProps {
  readonly label: string
  readonly icon: IconName
  readonly isCurrent: boolean
  /** Reached by Tab although nothing here is current. */
  readonly isFallbackStop?: boolean
  readonly action: ActionId
  readonly test: string
  readonly onClick: () => void
  readonly children?: ReactNode
}

function NavButton({
  label,
  icon,
  isCurrent,
  isFallbackStop = false,
  action,
  test,
  onClick,
  children,
}: NavButtonProps) {
  const keys = keysOf(action)
  return (
    <button
      type="button"
      className="nav flex-none"
      {...rovingButton(isCurrent || isFallbackStop)}
      data-pane-focus={isCurrent || undefined}
      aria-current={isCurrent ? 'page' : undefined}
      aria-keyshortcuts={keys && ariaShortcut(keys)}
      data-test={test}
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
      <span className="cut">{label}</span>
      {children}
    </button>
  )
}
