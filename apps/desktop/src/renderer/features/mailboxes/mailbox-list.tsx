import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import type { MailboxRow as Row } from '@shared/contract/mailboxes'
import type { MailboxId } from '@shared/model/ids'
import { SkeletonRows } from '../../components/skeleton'
import { announce } from '../../lib/announcer'
import { useMinute } from '../../lib/clock'
import { drawnAtOnce, useOverscan } from '../../lib/drawn-at-once'
import { keepDrawn } from '../../lib/keep-drawn'
import { isPlainStroke, rovingTarget } from '../../lib/keyboard/roving'
import { focusNamedPane } from '../../lib/panes'
import { usePreferences } from '../../lib/preferences'
import { MailboxRow } from './mailbox-row'
import { mailboxReferenceOf } from './mailbox-sentence'
import { useHeldRows } from './use-held-rows'
import type { Mailboxes } from './use-mailboxes'

export interface MailboxListProps {
  readonly title: string
  /** Names the list, so that another one begins in its own order: filter, project, text. */
  readonly listKey: string
  readonly count: number | null
  readonly mailboxes: Mailboxes
  readonly selectedId: MailboxId | null
  readonly onSelect: (row: Row) => void
  /** Enter: into the timeline. */
  readonly onOpen: (row: Row) => void
  /** Shown where there is no row. */
  readonly empty: ReactNode
  readonly headActions?: ReactNode
  /** Between the head and the rows: what filters them, where nothing beside the list does. */
  readonly search?: ReactNode
  /** The line that is dragged, at the edge of the list. */
  readonly splitter?: ReactNode
}

/** Title bar, head of the list and status bar. */
const aroundTheList = 106

export const mailboxRowHeight = (textScale: number): number => Math.max(98, Math.round(86 * textScale))

/** The mailboxes of a filter, latest first. One tab stop; the selection follows the focus. */
export function MailboxList(props: MailboxListProps) {
  const { title, count, mailboxes, empty, headActions, search, splitter } = props
  return (
    <section className="mailbox-list" data-test="mailbox-list" data-pane="mailboxes" aria-label="Mailboxes">
      <header className="flex h-10 flex-none items-center gap-2 border-b border-line pr-2 pl-3.5">
        <h2 className="cut font-semibold">{title}</h2>
        <span className="count">{count}</span>
        <span className="cut text-11 text-ink-3 max-wide:hidden">latest first</span>
        <span className="grow" />
        {headActions}
      </header>
      {search}
      {mailboxes.isLoading ? (
        <SkeletonRows count={6} height={98} />
      ) : mailboxes.rows.length === 0 ? (
        empty
      ) : (
        <Rows {...props} />
      )}
      {splitter}
    </section>
  )
}

function Rows({ title, listKey, mailboxes, selectedId, onSelect, onOpen }: MailboxListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const now = useMinute()
  const height = mailboxRowHeight(usePreferences((state) => state.textScale))
  const { rows, hold } = useHeldRows(mailboxes.rows, listKey)
  const selectedIndex = rows.findIndex((row) => row.id === selectedId)
  const rangeExtractor = useMemo(() => keepDrawn(selectedIndex), [selectedIndex])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: useOverscan(6),
    rangeExtractor,
    ...drawnAtOnce(aroundTheList),
  })
  const items = virtualizer.getVirtualItems()
  const isNearEnd = (virtualizer.range?.endIndex ?? 0) >= rows.length - 8
  const { hasMore, loadMore } = mailboxes
  useEffect(() => {
    if (isNearEnd && hasMore) loadMore()
  }, [isNearEnd, hasMore, loadMore])

  useNeighbourFocus(scroller, rows, onSelect)

  const focusRow = useCallback((id: number): void => {
    // the row may have to be drawn first
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-mailbox-id="${id}"]`)?.focus(),
    )
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isPlainStroke(event)) return
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault()
      focusNamedPane(event.key === 'ArrowRight' ? 'timeline' : 'sidebar')
      return
    }
    const target = rovingTarget(event.key, Math.max(0, selectedIndex), rows.length, 6)
    const row = target === null ? undefined : rows[target]
    if (target === null || !row) return
    event.preventDefault()
    virtualizer.scrollToIndex(target, { align: 'auto' })
    onSelect(row)
    focusRow(row.id)
  }
  return (
    <div
      ref={scroller}
      className="min-h-0 grow overflow-y-auto"
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocus={() => hold('focus', true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && hold('focus', false)}
    >
      <div
        role="listbox"
        aria-label={`${title}, latest first`}
        tabIndex={-1}
        data-letter-keys
        className="relative outline-none"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => {
          const row = rows[item.index]
          if (!row) return null
          return (
            <MailboxRow
              key={item.key}
              row={row}
              isSelected={item.index === selectedIndex}
              isTabStop={item.index === Math.max(0, selectedIndex)}
              now={now}
              position={item.index + 1}
              top={item.start}
              height={height}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          )
        })}
      </div>
    </div>
  )
}

/** When the row that has the focus goes away, its neighbour gets it, and this is told. */
function useNeighbourFocus(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  onSelect: (row: Row) => void,
): void {
  const focused = useRef<{ readonly id: number; readonly index: number } | null>(null)
  useEffect(() => {
    const gone = focused.current
    const active = scroller.current?.contains(document.activeElement) ? document.activeElement : null
    const id = Number(active?.getAttribute('data-mailbox-id') ?? 0)
    focused.current = id === 0 ? null : { id, index: rows.findIndex((row) => row.id === id) }
    if (!gone || document.activeElement !== document.body || rows.some((row) => row.id === gone.id)) return
    const next = rows[Math.min(gone.index, rows.length - 1)]
    if (!next) return
    onSelect(next)
    announce('mailbox list', `The row is gone. Now on ${mailboxReferenceOf(next)}, ${next.title}`)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-mailbox-id="${next.id}"]`)?.focus(),
    )
  })
}
