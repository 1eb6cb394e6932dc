import { Command } from 'cmdk'
import type { MailboxRow } from '@shared/contract/mailboxes'
import { mailboxReference } from '@shared/format/references'
import { isLoss } from '@shared/timeline/session-badge'
import { Icon } from '../../components/icon'
import { MiniThread } from '../../components/mini-thread'
import { Highlight } from './highlight'

export interface MailboxItemsProps {
  readonly rows: readonly MailboxRow[]
  readonly query: string
  readonly onChoose: (row: MailboxRow) => void
}

export function MailboxItems({ rows, query, onChoose }: MailboxItemsProps) {
  if (rows.length === 0) return null
  return (
    <Command.Group heading="Issues and merge requests">
      {rows.map((row) => (
        <Command.Item
          key={row.id}
          value={`mailbox ${row.id}`}
          data-test="palette-item"
          data-mailbox-id={row.id}
          onSelect={() => onChoose(row)}
        >
          <Icon name={row.kind === 'issue' ? 'circle-dot' : 'git-pull-request'} size={15} />
          <span className="flex-none text-ink-3">{mailboxReference(row.kind, row.iid, row.forgeKind)}</span>
          <span className="cut grow">
            <Highlight text={row.title} query={query} />
          </span>
          <MiniThread
            nodes={row.miniThread.map((node) => ({
              key: node.runId,
              letter: node.letter,
              isBreak: isLoss(node.badge),
              isLive: node.live,
            }))}
          />
        </Command.Item>
      ))}
    </Command.Group>
  )
}
