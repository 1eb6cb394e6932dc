import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import type { TimelineRow } from '@shared/contract/sessions'
import type { RunId } from '@shared/model/ids'
import { counted } from '@shared/format'
import { formatDay } from '@shared/format/times'
import { Button } from '../../components/button'
import { useMinute } from '../../lib/clock'
import { useActions } from '../../lib/keyboard/actions'
import { isPlainStroke, rovingTarget } from '../../lib/keyboard/roving'
import { drawnAtOnce, useOverscan } from '../../lib/drawn-at-once'
import { keepDrawn } from '../../lib/keep-drawn'
import type { KeptMemory } from '../../lib/memory-badge'
import { useNavigation } from '../../lib/navigation/store'
import type { Screen } from '../../lib/navigation/view'
import { focusNamedPane } from '../../lib/panes'
import { usePreferences } from '../../lib/preferences'
import { BreakRow } from './break-row'
import { BandRail } from './session-rail'
import { heightAbove, heightOf, rowHeights } from './row-heights'
import { SessionRow } from './session-row'
import { hasDayMarks, type TimelineItem } from './timeline-items'
import { useFollowing } from './use-following'

export interface TimelineGridProps {
  readonly label: string
  readonly items: readonly TimelineItem[]
  readonly kept: readonly (KeptMemory | null)[]
  /** Sessions of the mailbox, loaded or not, and how many of them lie above the loaded ones. */
  readonly total: number
  readonly above: number
  readonly isFiltered: boolean
  readonly selectedRunId: RunId | null
  readonly initialScrollTop: number | null
  /** A row that has to be brought into view; null: none. */
  readonly revealRunId: RunId | null
  readonly retryReason: string | null
  readonly onSelect: (row: TimelineRow) => void
  readonly onOpen: (row: TimelineRow) => void
  readonly onRetryOldId: (row: TimelineRow) => void
  readonly onPlace: (scrollTop: number | null) => void
  /** The upper end is near. */
  readonly onNearTop: () => void
}

const nearTop = 600
/** Title bar, header of the mailbox, heads of the columns, dock and status bar. */
const aroundTheTimeline = 257

/** All sessions of a mailbox, oldest first. One tab stop; the focus moves over sessions and breaks. */
export function TimelineGrid(props: TimelineGridProps) {
  const { items, selectedRunId, onNearTop, onPlace } = props
  const scroller = useRef<HTMLDivElement>(null)
  const textScale = usePreferences((state) => state.textScale)
  const heights = useMemo(() => rowHeights(textScale), [textScale])
  const minute = useMinute()
  const stops = useMemo(() => items.flatMap((item, index) => (item.kind === 'day' ? [] : [index])), [items])
  const selectedIndex = items.findIndex((item) => item.kind === 'session' && item.row.runId === selectedRunId)
  // the break that has the focus; else the selected session is the tab stop
  const [focusedBreak, setFocusedBreak] = useState<string | null>(null)
  const breakIndex = focusedBreak === null ? -1 : items.findIndex((item) => item.key === focusedBreak)
  const activeIndex = breakIndex >= 0 ? breakIndex : selectedIndex
  const leaveBreak = useCallback(() => setFocusedBreak(null), [])
  const rangeExtractor = useMemo(() => keepDrawn(activeIndex), [activeIndex])
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[items[index]?.kind ?? 'session'],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: useOverscan(8),
    paddingStart: 2,
    paddingEnd: 2,
    rangeExtractor,
    ...drawnAtOnce(
      aroundTheTimeline,
      (height) => props.initialScrollTop ?? heightOf(items, heights) - height,
    ),
  })
  useAnchor(scroller, items, heights)

  const following = useFollowing({
    scroller,
    height: virtualizer.getTotalSize(),
    rowCount: stops.length,
    lastKey: items.at(-1)?.key,
    initialScrollTop: props.initialScrollTop,
    onPlace,
  })
  useFocusAfterReturn(scroller)
  useReveal(items, props.revealRunId, (index) => virtualizer.scrollToIndex(index, { align: 'center' }))

  const focusItem = (index: number): void => {
    const item = items[index]
    if (!item) return
    virtualizer.scrollToIndex(index, { align: 'auto' })
    setFocusedBreak(item.kind === 'break' ? item.key : null)
    if (item.kind === 'session') props.onSelect(item.row)
    requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-item="${item.key}"]`)
        ?.focus({ preventScroll: true }),
    )
  }
  const follow = (): void => {
    following.follow()
    const last = stops.at(-1)
    if (last !== undefined) focusItem(last)
  }
  useTimelineKeys({ items, selectedRunId, focusItem, follow })

  const onKeyDown = useGridKeys({
    items,
    stops,
    activeIndex,
    focusItem,
    follow,
    onOpen: props.onOpen,
    onRetryOldId: props.onRetryOldId,
  })
  return (
    <>
      <div
        ref={scroller}
        className="timeline-scroll"
        onScroll={() => {
          following.onScroll()
          if ((scroller.current?.scrollTop ?? nearTop) < nearTop) onNearTop()
        }}
      >
        <div
          role="grid"
          tabIndex={-1}
          aria-label={props.label}
          aria-rowcount={props.total}
          data-test="session-timeline"
          data-letter-keys
          className="timeline-grid"
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={onKeyDown}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const item = items[index]
            if (!item) return null
            const isTabStop = index === (activeIndex >= 0 ? activeIndex : stops.at(-1))
            return (
              <Item
                key={key}
                {...props}
                item={item}
                top={start}
                heights={heights}
                minute={minute}
                isTabStop={isTabStop}
                onBreakFocus={setFocusedBreak}
                onSessionFocus={leaveBreak}
              />
            )
          })}
        </div>
      </div>
      {following.newBelow > 0 && (
        <Button
          className="new-below"
          icon="chevron-down"
          label={`${following.newBelow} new below`}
          keys="End"
          onClick={follow}
          test="new-below"
        />
      )}
    </>
  )
}

interface ItemProps extends Omit<TimelineGridProps, 'items'> {
  readonly item: TimelineItem
  readonly top: number
  readonly heights: ReturnType<typeof rowHeights>
  readonly minute: number
  readonly isTabStop: boolean
  readonly onBreakFocus: (itemKey: string) => void
  readonly onSessionFocus: () => void
}

function Item({ item, top, heights, minute, isTabStop, ...props }: ItemProps) {
  switch (item.kind) {
    case 'day':
      return (
        <div
          role="presentation"
          className="timeline-item day-mark"
          style={{ transform: `translateY(${top}px)`, height: heights.day }}
        >
          <BandRail lines={item.lines} height={heights.day} />
          {formatDay(item.at, { now: minute })}
        </div>
      )
    case 'break':
      return (
        <BreakRow
          row={item.row}
          slice={item.slice}
          gap={item.gap}
          itemKey={item.key}
          isTabStop={isTabStop}
          top={top}
          height={heights.break}
          retryReason={props.retryReason}
          onFocus={props.onBreakFocus}
          onRetryOldId={props.onRetryOldId}
        />
      )
    case 'session':
      return (
        <SessionRow
          row={item.row}
          slice={item.slice}
          kept={props.kept[item.index] ?? null}
          isSelected={item.row.runId === props.selectedRunId}
          isTabStop={isTabStop}
          isFiltered={props.isFiltered}
          hasDayMark={hasDayMarks(props.total)}
          position={props.above + item.index + 1}
          total={props.total}
          top={top}
          height={heights.session}
          minute={minute}
          onSelect={props.onSelect}
          onFocus={props.onSessionFocus}
          onOpen={props.onOpen}
        />
      )
  }
}

/** Keeps what is read where it is when rows are put above it. */
function useAnchor(
  scroller: RefObject<HTMLDivElement | null>,
  items: readonly TimelineItem[],
  heights: ReturnType<typeof rowHeights>,
): void {
  const before = useRef(items)
  useLayoutEffect(() => {
    const element = scroller.current
    const moved = element ? heightAbove(before.current, items, heights) : 0
    before.current = items
    if (element && moved > 0) element.scrollTop += moved
  }, [items, scroller, heights])
}

const openedFromRow: ReadonlySet<Screen> = new Set(['run', 'chat', 'terminal'])

/** Coming back from what was opened on a row, the focus is on the row again. */
function useFocusAfterReturn(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { cameBackFrom } = useNavigation.getState()
    if (cameBackFrom === null || !openedFromRow.has(cameBackFrom.screen)) return
    useNavigation.setState({ cameBackFrom: null })
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>('[data-pane-focus]')?.focus({ preventScroll: true }),
    )
  }, [scroller])
}

/** Brings a row into view once, when a link or a key names it. */
function useReveal(
  items: readonly TimelineItem[],
  runId: RunId | null,
  scrollTo: (index: number) => void,
): void {
  const revealed = useRef<RunId | null>(null)
  useEffect(() => {
    if (runId === null || revealed.current === runId) return
    const index = items.findIndex((item) => item.kind === 'session' && item.row.runId === runId)
    if (index < 0) return
    revealed.current = runId
    scrollTo(index)
  }, [items, runId, scrollTo])
}

interface TimelineKeyOptions {
  readonly items: readonly TimelineItem[]
  readonly selectedRunId: RunId | null
  readonly focusItem: (index: number) => void
  readonly follow: () => void
}

/** The keys that jump: to the live run, and along a memory. */
function useTimelineKeys({ items, selectedRunId, focusItem, follow }: TimelineKeyOptions): void {
  const selected = items.find((item) => item.kind === 'session' && item.row.runId === selectedRunId)
  const letter = selected?.kind === 'session' ? selected.slice.letter : null
  const sameMemory = items.flatMap((item, index) =>
    item.kind === 'session' && letter !== null && item.slice.letter === letter ? [index] : [],
  )
  const place = sameMemory.findIndex((index) => items[index] === selected)
  const live = items.findLastIndex((item) => item.kind === 'session' && item.row.state !== 'ended')
  const jump = (index: number | undefined, reason: string) => ({
    run: () => index !== undefined && focusItem(index),
    disabledReason: index === undefined ? reason : null,
  })
  useActions({
    'previous-in-memory': jump(
      place > 0 ? sameMemory[place - 1] : undefined,
      'This is the first session of its memory',
    ),
    'next-in-memory': jump(
      place >= 0 ? sameMemory[place + 1] : undefined,
      'This is the newest session of its memory',
    ),
    'jump-to-live': jump(live >= 0 ? live : undefined, 'Nothing runs here'),
    'follow-end': { run: follow },
  })
}

interface GridKeyOptions {
  readonly items: readonly TimelineItem[]
  /** Places that take the focus. */
  readonly stops: readonly number[]
  readonly activeIndex: number
  readonly focusItem: (index: number) => void
  readonly follow: () => void
  readonly onOpen: (row: TimelineRow) => void
  readonly onRetryOldId: (row: TimelineRow) => void
}

function useGridKeys({ items, stops, activeIndex, focusItem, follow, onOpen, onRetryOldId }: GridKeyOptions) {
  const lastG = useRef(0)
  return (event: KeyboardEvent): void => {
    if (
      !isPlainStroke(event) ||
      !(event.target instanceof HTMLElement) ||
      event.target.getAttribute('role') !== 'row'
    )
      return
    const item = items[activeIndex]
    if (event.key === 'Enter' && item) {
      event.preventDefault()
      if (item.kind === 'session') onOpen(item.row)
      else if (item.kind === 'break' && item.gap.canRetry) onRetryOldId(item.row)
      return
    }
    if (event.key === 'ArrowLeft') {
      event.preventDefault()
      focusNamedPane('mailboxes')
      return
    }
    if (event.key === 'End') {
      event.preventDefault()
      follow()
      return
    }
    const isSecondG = event.key === 'g' && event.timeStamp - lastG.current < 600
    lastG.current = event.key === 'g' ? event.timeStamp : 0
    const place = Math.max(0, stops.indexOf(activeIndex))
    const target = isSecondG ? 0 : rovingTarget(event.key, place, stops.length)
    const index = target === null ? undefined : stops[target]
    if (index === undefined) return
    event.preventDefault()
    focusItem(index)
  }
}

/** `Session timeline of #128, 9 sessions, 3 memories` */
export const timelineLabel = (reference: string, sessions: number, memories: number): string =>
  `Session timeline of ${reference}, ${counted(sessions, 'session')}, ${counted(memories, 'memory', 'memories')}`
