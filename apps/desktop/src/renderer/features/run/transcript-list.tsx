import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
} from 'react'
import { assertPresent } from '@shared/assert'
import { Button } from '../../components/button'
import { announce } from '../../lib/announcer'
import { useActions } from '../../lib/keyboard/actions'
import { isPlainStroke, rovingTarget } from '../../lib/keyboard/roving'
import { createNewEvents } from './new-events'
import { likelyHeight } from './row-heights'
import { toolDiff } from './tool-diff'
import { TranscriptEvent } from './transcript-event'
import { indexOfSeq, isError, type TranscriptRow } from '../../lib/transcript/transcript-rows'
import { useStickToEnd } from '../../lib/use-stick-to-end'

export interface TranscriptListProps {
  readonly rows: readonly TranscriptRow[]
  readonly isLive: boolean
  readonly hasEarlier: boolean
  readonly isReadingEarlier: boolean
  readonly onReadEarlier: () => void
  readonly onOpenRawLog: () => void
  /** The row to show, of a search; a new object goes there again. */
  readonly target: { readonly seq: number } | null
}

/** Earlier events are read when the first row is nearer than this. */
const readAheadPx = 600

/** Changes are what people look for: edits and failures are open, all else is folded until it is asked for. */
const isOpenAtFirst = (row: TranscriptRow): boolean =>
  row.kind === 'tool' &&
  (row.result?.failed === true || (/edit|write|patch|replace/i.test(row.name) && toolDiff(row) !== null))

/** The events of a run: only visible ones are drawn, the end is followed while the person is there. */
export function TranscriptList(props: TranscriptListProps) {
  const { rows, isLive, hasEarlier, isReadingEarlier, onReadEarlier, onOpenRawLog, target } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<number | null>(null)
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set())
  const [newEvents] = useState(createNewEvents)

  // with a new function the places of all rows are reckoned again
  const getItemKey = useCallback((index: number) => rows[index]?.seq ?? index, [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => likelyHeight(assertPresent(rows[index], 'a row for each index')),
    getItemKey,
    overscan: 4,
    // when older rows come in front, what was on the screen stays where it is, without being drawn twice
    anchorTo: 'end',
  })
  const totalSize = virtual.getTotalSize()
  const { isFollowing, follow, leave, onScroll } = useStickToEnd(scroller, totalSize, rows.length)
  const newCount = useNewCount(rows, isFollowing)

  // as the list knows it: the element itself would have to lay out the new rows before it answers
  const top = virtual.scrollOffset ?? 0
  useEffect(() => {
    if (top < readAheadPx && hasEarlier && !isReadingEarlier) onReadEarlier()
  }, [top, hasEarlier, isReadingEarlier, onReadEarlier, totalSize])

  const activeIndex = active === null ? null : indexOfSeq(rows, active)

  const goTo = useCallback(
    (index: number) => {
      const row = rows[index]
      if (!row) return
      leave()
      setActive(row.seq)
      virtual.scrollToIndex(index, { align: 'auto' })
      focusSoon(scroller, row.seq)
    },
    [rows, leave, virtual],
  )
  const goToTarget = useEffectEvent(() => {
    const index = target === null ? null : indexOfSeq(rows, target.seq)
    if (index === null) return
    leave()
    setActive(rows[index]?.seq ?? null)
    virtual.scrollToIndex(index, { align: 'center' })
  })
  // only a new target moves the list, not what comes in meanwhile
  useEffect(() => {
    if (target !== null) goToTarget()
  }, [target])

  const goToError = (step: 1 | -1): void => {
    const from = activeIndex ?? (step === 1 ? -1 : rows.length)
    for (let index = from + step; index >= 0 && index < rows.length; index += step) {
      const row = rows[index]
      if (row && isError(row)) {
        goTo(index)
        return
      }
    }
  }
  useActions({
    'next-error': { run: () => goToError(1) },
    'previous-error': { run: () => goToError(-1) },
    'jump-to-live': { run: follow },
    'follow-end': { run: follow },
    'read-new-events': {
      run: () => announce('transcript', newEvents.read(rows)),
    },
  })

  const toggle = useCallback((seq: number) => {
    setToggled((before) => {
      const after = new Set(before)
      if (!after.delete(seq)) after.add(seq)
      return after
    })
  }, [])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isPlainStroke(event)) return
    const row = activeIndex === null ? undefined : rows[activeIndex]
    if (row && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      if (isOpen(row, toggled) !== (event.key === 'ArrowRight')) toggle(row.seq)
      event.preventDefault()
      return
    }
    if (event.key === 'End') {
      follow()
      event.preventDefault()
      return
    }
    const next = rovingTarget(event.key, activeIndex ?? rows.length, rows.length)
    if (next === null) return
    event.preventDefault()
    goTo(next)
  }
  const onFocus = (event: FocusEvent): void => {
    const element = event.target.closest<HTMLElement>('[data-seq]')
    if (!element) return
    // what somebody looks at does not move away
    leave()
    setActive(Number(element.dataset['seq']))
  }

  const lastSeq = rows.at(-1)?.seq
  return (
    <div className="relative flex min-h-0 grow flex-col">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys move inside the log */}
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Transcript"
        data-test="transcript"
        data-letter-keys
        data-pane="transcript"
        className="min-h-0 grow overflow-y-auto pt-1.5 [overflow-anchor:none]"
        tabIndex={activeIndex === null ? 0 : -1}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onPointerUp={() => window.getSelection()?.isCollapsed === false && leave()}
      >
        <div className="relative" style={{ height: totalSize }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            if (!row) return null
            return (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <TranscriptEvent
                  row={row}
                  isOpen={isOpen(row, toggled)}
                  isLive={isLive}
                  isActive={row.seq === active}
                  onToggle={toggle}
                  onOpenRawLog={onOpenRawLog}
                />
              </div>
            )
          })}
        </div>
        {isLive && lastSeq !== undefined && <span className="live-caret" aria-hidden="true" />}
      </div>
      {(isLive || !isFollowing) && (
        <Button
          size="sm"
          icon="chevron-down"
          className="absolute right-4 bottom-2.5 bg-raised shadow-2"
          label={
            isFollowing
              ? 'Following live'
              : newCount > 0
                ? `${newCount} new below`
                : isLive
                  ? 'Go to the live end'
                  : 'Go to the end'
          }
          keys="End"
          test="jump-to-live"
          onClick={follow}
        />
      )}
    </div>
  )
}

const isOpen = (row: TranscriptRow, toggled: ReadonlySet<number>): boolean =>
  isOpenAtFirst(row) !== toggled.has(row.seq)

/** Rows that came at the end since it was left; older rows that come in front are not new. */
function useNewCount(rows: readonly TranscriptRow[], isFollowing: boolean): number {
  const leftAt = useRef(0)
  const lastSeq = rows.at(-1)?.seq ?? 0
  if (isFollowing) leftAt.current = lastSeq
  if (lastSeq === leftAt.current) return 0
  return rows.length - 1 - rows.findLastIndex((row) => row.seq <= leftAt.current)
}

/** Rows are drawn a frame after the scroll; then the one that was asked for can take the focus. */
function focusSoon(scroller: { readonly current: HTMLDivElement | null }, seq: number): void {
  let left = 10
  const tryFocus = (): void => {
    const element = scroller.current?.querySelector<HTMLElement>(`[data-seq="${seq}"]`)
    if (element) element.focus({ preventScroll: true })
    else if ((left -= 1) > 0) requestAnimationFrame(tryFocus)
  }
  requestAnimationFrame(tryFocus)
}
