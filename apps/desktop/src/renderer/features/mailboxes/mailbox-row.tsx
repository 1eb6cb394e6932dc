import { memo, useEffect, useRef } from 'react'
import type { MailboxRow as Row } from '@shared/contract/mailboxes'
import { formatCost } from '@shared/format'
import { isoWithOffset } from '@shared/format/times'
import { isLoss } from '@shared/timeline/session-badge'
import { Chip } from '../../components/chip'
import { Icon } from '../../components/icon'
import { MiniThread } from '../../components/mini-thread'
import { formatAgo } from '../../lib/time-format'
import { useSteady } from '../../lib/use-steady'
import { mailboxReferenceOf, mailboxSentence } from './mailbox-sentence'
import { mailboxState, type MailboxState } from './mailbox-state'

export interface MailboxRowProps {
  readonly row: Row
  readonly isSelected: boolean
  /** The one row of the list that Tab reaches. */
  readonly isTabStop: boolean
  /** Epoch ms, by the minute. */
  readonly now: number
  readonly position: number
  /** Where it stands in the list and how high it is, in pixels. */
  readonly top: number
  readonly height: number
  readonly onSelect: (row: Row) => void
  readonly onOpen: (row: Row) => void
}

/** A mailbox in three lines: which, what, and how it stands. */
export const MailboxRow = memo(function MailboxRow({
  row,
  isSelected,
  isTabStop,
  now,
  position,
  top,
  height,
  onSelect,
  onOpen,
}: MailboxRowProps) {
  const latest = mailboxState(row)
  const state = useSteady(latest, latest.text)
  return (
    <div
      role="option"
      aria-selected={isSelected}
      aria-posinset={position}
      tabIndex={isTabStop ? 0 : -1}
      data-pane-focus={isTabStop || undefined}
      className="mailbox-row"
      style={{ transform: `translateY(${top}px)`, height }}
      data-test="mailbox-row"
      data-mailbox={mailboxReferenceOf(row)}
      data-mailbox-id={row.id}
      data-state={row.isUnread ? 'unread' : 'read'}
      onClick={() => onSelect(row)}
      onDoubleClick={() => onOpen(row)}
      onFocus={() => onSelect(row)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        onOpen(row)
      }}
    >
      {/* the row is one sentence to a screen reader */}
      <span className="sr">{mailboxSentence(row, state, now)}</span>
      <div className="contents" aria-hidden="true">
        <div className="flex min-w-0 items-center gap-1.5 text-11 text-ink-3">
          <Icon name={row.kind === 'issue' ? 'circle-dot' : 'git-pull-request'} size={14} />
          <span className="flex-none font-medium text-ink-2">{mailboxReferenceOf(row)}</span>
          <span className="cut mono">{row.projectPath}</span>
          <span className="grow" />
          <span
            className="flex-none"
            data-test="mailbox-age"
            data-value={row.updatedAt}
            title={isoWithOffset(row.updatedAt)}
          >
            {formatAgo(row.updatedAt, now)}
          </span>
        </div>
        <div className="mailbox-title" title={row.title}>
          {row.title}
        </div>
        <div className="flex min-w-0 items-center gap-2">
          <StateChip key={state.text} mailboxId={row.id} {...state} />
          <span className="grow" />
          <span className="mailbox-thread">
            <MiniThread
              nodes={row.miniThread.map((node) => ({
                key: node.runId,
                letter: node.letter,
                isBreak: isLoss(node.badge),
                isLive: node.live,
              }))}
            />
          </span>
          <span
            className="min-w-11 flex-none text-right text-11 text-ink-2"
            data-test="mailbox-row-cost"
            data-value={row.costUsd ?? ''}
          >
            {row.latestRun === null ? '' : formatCost(row.costUsd)}
          </span>
        </div>
      </div>
    </div>
  )
})

interface StateChipProps extends MailboxState {
  readonly mailboxId: number
}

/** What each mailbox was last shown to do, to tell a change from a row that comes into view. */
const lastShown = new Map<number, string>()

/** Flashes once when its words change. */
function StateChip({ mailboxId, text, icon, tone }: StateChipProps) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const before = lastShown.get(mailboxId)
    lastShown.set(mailboxId, text)
    if (before !== undefined && before !== text) place.current?.classList.add('flash')
  }, [mailboxId, text])
  return (
    <span ref={place} className="max-w-[calc(100%-52px*var(--text-scale))] flex-none">
      <Chip text={text} icon={icon} tone={tone} className="max-w-full" test="mailbox-state" />
    </span>
  )
}
