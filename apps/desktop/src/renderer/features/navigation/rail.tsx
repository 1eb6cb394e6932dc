import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../components/icon'
import { Tooltip } from '../../components/tooltip'
import { keysOf, type ActionId } from '../../lib/keyboard/key-map'
import { onRovingKey, rovingButton } from '../../lib/keyboard/roving-buttons'
import { openHome, useNavigation } from '../../lib/navigation/store'
import { useQueryEntry } from '../../lib/use-query-entry'
import { filters } from './filters'
import { hasEntry, screenEntries } from './screen-entries'
import { useAgentProblems } from './use-attention'

/** The sidebar as a line of icons: in small windows, and beside a run. */
export function Rail() {
  const { data: counts } = useQueryEntry('mailboxes.counts', {})
  const view = useNavigation((state) => state.view)
  const problems = useAgentProblems()
  const isHome = view.screen === 'home'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys of the buttons inside
    <nav
      className="rail"
      data-test="sidebar-rail"
      data-pane="sidebar"
      aria-label="Mailboxes and screens"
      onKeyDown={onRovingKey}
    >
      {filters.map((entry, index) => {
        const count = counts?.[entry.filter] ?? 0
        const hasCount = count > 0 && (entry.filter === 'needs-you' || entry.filter === 'running')
        return (
          <RailButton
            key={entry.filter}
            label={hasCount ? `${entry.label}, ${count}` : entry.label}
            icon={entry.icon}
            isCurrent={isHome && view.projectId === null && view.filter === entry.filter}
            isFallbackStop={index === 0 && !hasEntry(view.screen)}
            action={entry.action}
            test={`filter-${entry.filter}`}
            onClick={() => openHome({ filter: entry.filter, projectId: null, mailboxId: null })}
          >
            {hasCount && <i aria-hidden="true">{count}</i>}
          </RailButton>
        )
      })}
      <span className="grow" />
      {screenEntries.map(({ screen, label, icon, action, open }) => (
        <RailButton
          key={screen}
          label={screen === 'agents' && problems > 0 ? `${label}, ${problems} not signed in` : label}
          icon={icon}
          isCurrent={view.screen === screen}
          action={action}
          test={action}
          onClick={open}
        />
      ))}
    </nav>
  )
}

interface RailButtonProps {
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

function RailButton({
  label,
  icon,
  isCurrent,
  isFallbackStop = false,
  action,
  test,
  onClick,
  children,
}: RailButtonProps) {
  return (
    <Tooltip text={label} keys={keysOf(action)} side="right">
      <button
        type="button"
        className="rail-button"
        {...rovingButton(isCurrent || isFallbackStop)}
        aria-label={label}
        aria-current={isCurrent ? 'page' : undefined}
        data-test={test}
        onClick={onClick}
      >
        <Icon name={icon} size={17} />
        {children}
      </button>
    </Tooltip>
  )
}
