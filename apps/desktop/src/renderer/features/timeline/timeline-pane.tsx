import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { TimelineRow } from '@shared/contract/sessions'
import type { RunId } from '@shared/model/ids'
import { mailboxReference } from '@shared/format/references'
import { memoryBreakOf } from '@shared/timeline/memory-break'
import { railOf } from '@shared/timeline/rail'
import { EmptyState } from '../../components/empty-state'
import { SkeletonRows } from '../../components/skeleton'
import { useMinute } from '../../lib/clock'
import { useActions } from '../../lib/keyboard/actions'
import { openView } from '../../lib/navigation/store'
import { useSelection } from '../../lib/overlays'
import { useContinueAsChat } from '../../lib/use-continue-as-chat'
import { ActionDock } from './action-dock'
import { dockState, terminalReason } from './dock-state'
import { EmptyTimeline } from './empty-timeline'
import { FilterBar } from './filter-bar'
import { keptMemories } from './kept-memory'
import { isLive } from './row-figures'
import { MonthJumper } from './month-jumper'
import { newestMemoryOf } from './newest-memory'
import { hasMonths } from './months'
import { isFiltering, noFilter, passesFilter } from './timeline-filter'
import { timelineLabel, TimelineGrid } from './timeline-grid'
import { TimelineHead } from './timeline-head'
import { timelineItems } from './timeline-items'
import { recall, remember } from './timeline-places'
import type { LoadedRows } from './timeline-pages'
import { openRepair, repairTargets } from './repair-targets'
import { useRetry } from './use-retry'
import { useWindowTerminal } from './use-window-terminal'
import { useTimeline } from './use-timeline'
import { useTimelineLayout } from './use-timeline-layout'

export interface TimelinePaneProps {
  readonly mailbox: MailboxDetail
  /** The row that a link asks for; null: where one was, else the end. */
  readonly revealRunId: RunId | null
  readonly isStarting: boolean
  readonly onStart: () => void
}

/** The sessions of a mailbox and what can be done with the selected one. Give it the mailbox's id as key. */
export function TimelinePane({ mailbox, revealRunId, isStarting, onStart }: TimelinePaneProps) {
  const timeline = useTimeline(mailbox.id)
  const { loaded } = timeline
  if (timeline.hasFailed && !loaded) {
    return (
      <EmptyState motif={{ icon: 'warning' }} title="The timeline cannot be read">
        The engine did not answer. Diagnostics says more.
      </EmptyState>
    )
  }
  if (!loaded) {
    return (
      <div className="timeline-pane" data-layout="narrow">
        <TimelineHead />
        <SkeletonRows count={8} height={48} />
      </div>
    )
  }
  if (loaded.rows.length === 0)
    return <EmptyTimeline mailbox={mailbox} isStarting={isStarting} onStart={onStart} />
  return (
    <LoadedTimeline
      mailbox={mailbox}
      loaded={loaded}
      revealRunId={revealRunId}
      loadEarlier={timeline.loadEarlier}
    />
  )
}

interface LoadedTimelineProps {
  readonly mailbox: MailboxDetail
  readonly loaded: LoadedRows
  readonly revealRunId: RunId | null
  readonly loadEarlier: () => void
}

function LoadedTimeline({ mailbox, loaded, revealRunId, loadEarlier }: LoadedTimelineProps) {
  const { rows, edge, total, hasEarlier } = loaded
  const rail = useMemo(() => railOf(rows, edge), [rows, edge])
  const { memoryRemovedAt } = mailbox
  const kept = useMemo(
    () => keptMemories(rows, rail, { edge, memoryRemovedAt }),
    [rows, rail, edge, memoryRemovedAt],
  )
  const letters = useMemo(
    () => [...new Set(rail.slices.map((slice) => slice.letter).filter((letter) => letter !== null))],
    [rail],
  )

  const [isFilterOpen, setFilterOpen] = useState(false)
  const [jumpRunId, setJumpRunId] = useState<RunId | null>(null)
  const pane = useRef<HTMLDivElement>(null)
  const layout = useTimelineLayout(pane)
  const [filter, setFilter] = useState(noFilter)
  const isFiltered = isFiltering(filter)
  useEffect(() => {
    // a filter speaks of all sessions, so all are read
    if (isFiltered && hasEarlier) loadEarlier()
  }, [isFiltered, hasEarlier, loadEarlier])
  const items = useMemo(
    () =>
      timelineItems(rows, rail, {
        memoryRemovedAt: mailbox.memoryRemovedAt,
        total,
        shows: isFiltered ? (row, slice) => passesFilter(filter, row, slice.letter) : null,
      }),
    [rows, rail, mailbox.memoryRemovedAt, total, isFiltered, filter],
  )

  const { selected, select } = useSelectedRow(mailbox, rows, revealRunId)
  const liveRow = rows.findLast(isLive) ?? null
  const state = dockState(selected, liveRow, mailbox, useMinute())
  const slice = rail.slices[rows.indexOf(selected)]
  const retry = useRetry(mailbox.id, rows)
  const chat = useContinueAsChat(mailbox.id, selected.runId)
  const open = useCallback(
    (row: TimelineRow) => {
      select(row)
      openView({ screen: 'run', runId: row.runId })
    },
    [select],
  )
  useActions({ 'filter-timeline': { run: () => setFilterOpen(true) } })
  useWindowTerminal(selected, mailbox)
  const onPlace = useCallback((scrollTop: number | null) => remember(mailbox.id, { scrollTop }), [mailbox.id])

  return (
    <>
      <div ref={pane} className="timeline-pane" data-pane="timeline" data-layout={layout}>
        {(isFilterOpen || isFiltered) && (
          <FilterBar
            filter={filter}
            onChange={setFilter}
            onClose={() => setFilterOpen(false)}
            letters={letters}
            shown={items.filter((item) => item.kind === 'session').length}
            total={total}
          />
        )}
        <TimelineHead
          jumper={
            hasMonths(total) && (
              <MonthJumper
                rows={rows}
                hasEarlier={hasEarlier}
                onJump={setJumpRunId}
                onLoadEarlier={loadEarlier}
              />
            )
          }
        />
        <TimelineGrid
          label={timelineLabel(
            mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind),
            total,
            Math.max(letters.length, edge.memories.length),
          )}
          items={items}
          kept={kept}
          total={total}
          above={total - rows.length}
          isFiltered={isFiltered}
          selectedRunId={selected.runId}
          initialScrollTop={revealRunId === null ? recall(mailbox.id).scrollTop : null}
          revealRunId={jumpRunId ?? revealRunId}
          retryReason={state.retryReason}
          onSelect={select}
          onOpen={open}
          onRetryOldId={retry.oldId}
          onPlace={onPlace}
          onNearTop={loadEarlier}
        />
      </div>
      <ActionDock
        row={selected}
        letter={slice?.letter ?? null}
        retryLetter={newestMemoryOf(edge, selected.adapter)}
        owner={ownerOf(selected, liveRow)}
        terminalReason={terminalReason(selected, mailbox)}
        terminalLimitMs={mailbox.terminalLimitMs}
        state={state}
        canRetryOldId={memoryBreakOf(selected, null, mailbox.memoryRemovedAt)?.canRetry ?? false}
        retry={retry}
        chat={chat}
        targets={repairTargets(selected, edge)}
        onRepair={(kind, target) =>
          void openRepair(kind, target, { mailboxId: mailbox.id, row: selected, rows })
        }
        onOpen={open}
      />
    </>
  )
}

/** Chats and terminals are continued, not repeated; a run that is stopping ends by itself. */
const ownerOf = (selected: TimelineRow, liveRow: TimelineRow | null) =>
  liveRow === null || isLive(selected) || liveRow.state === 'stopping' || isTalk(selected)
    ? null
    : { runId: liveRow.runId, since: liveRow.startedAt ?? liveRow.createdAt }
const isTalk = ({ phase }: TimelineRow): boolean => phase === 'chat' || phase === 'terminal'

/** The selected row: what a person chose, what a link named, else the newest, and the neighbour of one that went away. */
function useSelectedRow(mailbox: MailboxDetail, rows: readonly TimelineRow[], revealRunId: RunId | null) {
  const [chosen, setChosen] = useState<RunId | null>(revealRunId ?? recall(mailbox.id).selectedRunId)
  const selected = rows.find((row) => row.runId === chosen) ?? rows.at(-1)
  if (!selected) throw new Error('a timeline without rows has nothing to select')
  useEffect(() => {
    useSelection.setState({ selection: { mailboxId: mailbox.id, runId: selected.runId } })
    return () => useSelection.setState({ selection: null })
  }, [mailbox.id, selected.runId])
  const select = useCallback(
    (row: TimelineRow) => {
      remember(mailbox.id, { selectedRunId: row.runId })
      setChosen(row.runId)
    },
    [mailbox.id],
  )
  return { selected, select }
}
