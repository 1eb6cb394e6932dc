import { Command } from 'cmdk'
import { Icon, type IconName } from '../../components/icon'
import { Kbd } from '../../components/kbd'
import { keysOf, type ActionId } from '../../lib/keyboard/key-map'
import { Highlight } from './highlight'
import type { PaletteCommand } from './use-palette-results'

const icons: Partial<Readonly<Record<ActionId, IconName>>> = {
  'filter-all-open': 'list',
  'filter-needs-you': 'inbox',
  'filter-running': 'play',
  'filter-in-ci': 'workflow',
  'filter-in-review': 'eye',
  'filter-blocked': 'ban',
  'filter-done': 'circle-check',
  'open-settings': 'settings',
  'open-agents': 'cpu',
  'open-forges': 'plug',
  'open-diagnostics': 'activity',
  'open-notifications': 'bell',
  'toggle-paused': 'pause',
  'stop-all-runs': 'square',
  'show-keys': 'keyboard',
  quit: 'log-out',
  'continue-as-chat': 'message',
  'new-chat': 'plus',
  'rename-chat': 'pencil',
  'export-chat': 'upload',
  'stop-turn': 'square',
  'retry-run': 'retry',
  'retry-fresh': 'sprout',
  'retry-previous-id': 'unlink',
  'resume-in-terminal': 'terminal',
  'copy-resume-command': 'copy',
  'copy-session-id': 'copy',
  'fork-memory': 'copy',
  'drop-memory': 'unlink',
  'find-sessions': 'search',
  'stop-run': 'square',
  'open-on-forge': 'external-link',
  'validate-plan': 'check',
  'read-plan': 'file-text',
  'start-work': 'play',
  'show-issue': 'circle-dot',
  'show-sessions': 'list',
  'copy-branch-name': 'git-branch',
  'copy-issue-link': 'copy',
  'copy-run-link': 'copy',
  'clean-up': 'trash',
  'jump-to-live': 'eye',
  'filter-list': 'filter',
  'filter-timeline': 'filter',
}

export interface CommandItemsProps {
  readonly commands: readonly PaletteCommand[]
  readonly query: string
  readonly onChoose: (id: ActionId) => void
}

/** Commands on the selection, then those that always work. A command that has to wait says for what. */
export function CommandItems({ commands, query, onChoose }: CommandItemsProps) {
  const groups = [
    { heading: 'On the selected run', commands: commands.filter((command) => command.isOnSelection) },
    { heading: 'Commands', commands: commands.filter((command) => !command.isOnSelection) },
  ]
  return groups
    .filter((group) => group.commands.length > 0)
    .map((group) => (
      <Command.Group key={group.heading} heading={group.heading}>
        {group.commands.map((command) => (
          <Command.Item
            key={command.id}
            value={command.id}
            disabled={command.disabledReason !== null}
            data-test="palette-item"
            data-action={command.id}
            onSelect={() => onChoose(command.id)}
          >
            <Icon name={icons[command.id] ?? 'chevron-right'} size={15} />
            <span className="cut grow">
              <Highlight text={command.label} query={query} />
            </span>
            {command.disabledReason !== null && (
              <span className="text-11 text-ink-3">{command.disabledReason}</span>
            )}
            {keysOf(command.id) && <Kbd keys={keysOf(command.id) ?? ''} />}
          </Command.Item>
        ))}
      </Command.Group>
    ))
}
