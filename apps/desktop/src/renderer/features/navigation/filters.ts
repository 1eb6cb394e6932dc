import type { ForgeKind, MailboxFilter } from '@shared/model/words'
import type { IconName } from '../../components/icon'
import type { ActionId } from '../../lib/keyboard/key-map'

interface FilterDefinition {
  readonly filter: MailboxFilter
  readonly label: string
  readonly icon: IconName
  readonly action: ActionId
}

/** The views of the mailboxes, in the order of their keys Ctrl 1 to 7. */
export const filters: readonly FilterDefinition[] = [
  { filter: 'all-open', label: 'All open', icon: 'list', action: 'filter-all-open' },
  { filter: 'needs-you', label: 'Needs you', icon: 'inbox', action: 'filter-needs-you' },
  { filter: 'running', label: 'Running', icon: 'play', action: 'filter-running' },
  { filter: 'in-ci', label: 'In CI', icon: 'workflow', action: 'filter-in-ci' },
  { filter: 'in-review', label: 'In review', icon: 'eye', action: 'filter-in-review' },
  { filter: 'blocked', label: 'Blocked', icon: 'ban', action: 'filter-blocked' },
  { filter: 'done', label: 'Done', icon: 'circle-check', action: 'filter-done' },
]

/** A forge's kind in two letters, with the name behind them. */
export const forgeTags: Readonly<Record<ForgeKind, { readonly tag: string; readonly name: string }>> = {
  gitlab: { tag: 'GL', name: 'GitLab' },
  forgejo: { tag: 'FJ', name: 'Forgejo' },
  gitea: { tag: 'GT', name: 'Gitea' },
  github: { tag: 'GH', name: 'GitHub' },
  local: { tag: 'LO', name: 'local' },
}
