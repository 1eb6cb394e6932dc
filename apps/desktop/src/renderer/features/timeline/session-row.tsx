import { memo } from 'react'
import type { TimelineRow } from '@shared/contract/sessions'
import { formatCost, formatDuration, shortId } from '@shared/format'
import { isoWithOffset } from '@shared/format/times'
import { formatTokenTotal, totalTokens } from '@shared/format/tokens'
import { phaseWords } from '@shared/phase-words'
import type { RailSlice } from '@shared/timeline/rail'
import { rowSentence } from '@shared/timeline/row-sentence'
import { Button } from '../../components/button'
import { CopyId } from '../../components/copy-id'
import { Icon } from '../../components/icon'
import { LiveDot } from '../../components/live-dot'
import { useNow } from '../../lib/clock'
import type { KeptMemory } from '../../lib/memory-badge'
import { askToStop } from '../../lib/overlays'
import { phaseIcons } from '../../lib/phase-icons'
import { useSteady } from '../../lib/use-steady'
import { formatClock, formatDayTime } from '../../lib/time-format'
import { MemoryCell } from './memory-cell'
import { attemptText, isLive, nameWithoutPrefix, outcomeLook } from './row-figures'
import { SessionRail } from './session-rail'

export interface SessionRowProps {
  readonly row: TimelineRow
  readonly slice: RailSlice
  readonly kept: KeptMemory | null
  readonly isSelected: boolean
  readonly isTabStop: boolean
  readonly isFiltered: boolean
  /** A mark above names the day. */
  readonly hasDayMark: boolean
  /** Place among all sessions of the mailbox, from 1. */
  readonly position: number
  readonly total: number
  /** Where it stands in the timeline and how high it is, in pixels. */
  readonly top: number
  readonly height: number
  /** Epoch ms, by the minute. */
  readonly minute: number
  readonly onSelect: (row: TimelineRow) => void
  readonly onFocus: () => void
  readonly onOpen: (row: TimelineRow) => void
}

const tones = {
  ok: 'text-ok',
  bad: 'text-bad',
  warn: 'text-warn',
  run: 'text-run',
  quiet: 'text-ink-2',
} as const

/** One session: what ran, with which memory, what it took, how it ended. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const {
    row,
    slice,
    kept,
    isSelected,
    isTabStop,
    isFiltered,
    hasDayMark,
    position,
    total,
    top,
    height,
    minute,
    onSelect,
    onFocus,
    onOpen,
  } = props
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys of its rows
    <div
      role="row"
      aria-selected={isSelected}
      aria-rowindex={position}
      aria-label={rowSentence({
        row,
        letter: slice.letter,
        position,
        total,
        now: minute,
      })}
      tabIndex={isTabStop ? 0 : -1}
      data-pane-focus={isTabStop || undefined}
      className="timeline-item session-row"
      style={{ transform: `translateY(${top}px)`, height }}
      data-test="session-row"
      data-run={row.runId}
      data-item={row.runId}
      data-thread={slice.letter ?? ''}
      data-state={row.state}
      onClick={() => onSelect(row)}
      onFocus={(event) => {
        if (event.target !== event.currentTarget) return
        onFocus()
        onSelect(row)
      }}
      onDoubleClick={() => onOpen(row)}
    >
      <SessionRail
        slice={slice}
        height={height}
        isLive={isLive(row)}
        isInterrupted={row.state === 'queued' && row.outcome === 'interrupted'}
        isFiltered={isFiltered}
      />
      <PhaseCell row={row} />
      <SessionCell row={row} />
      <MemoryCell row={row} kept={kept} />
      <div role="gridcell" className="cell figure">
        <Duration row={row} />
        <span
          className={row.costUsd === null ? 'text-11 text-ink-3' : 'text-11 text-ink-2'}
          data-test="run-cost"
          data-value={row.costUsd ?? ''}
        >
          {formatCost(row.costUsd)}
        </span>
      </div>
      <TokensCell row={row} minute={minute} hasDayMark={hasDayMark} />
      <OutcomeCell row={row} />
    </div>
  )
})

function PhaseCell({ row }: { readonly row: TimelineRow }) {
  const agent = [row.adapter, row.model ?? (row.phase === 'terminal' ? 'by you' : null), row.provider]
    .filter(Boolean)
    .join(' · ')
  const attempt = attemptText(row.attempts)
  return (
    <div role="gridcell" className="cell">
      <span className="flex min-w-0 items-center gap-1.5" data-test="session-phase" data-value={row.phase}>
        <Icon name={phaseIcons[row.phase]} size={14} className="text-ink-2" />
        <span className="cut font-medium">{phaseWords[row.phase]}</span>
        <span className="text-11 text-ink-3">{row.runId}</span>
      </span>
      <span className="flex min-w-0 text-11 text-ink-2">
        <span className="cut" data-test="session-agent" title={agent}>
          {agent}
          {attempt && ` · ${attempt}`}
        </span>
        {row.nativeSessionId !== null && (
          <span className="timeline-narrow mono flex-none whitespace-pre">
            {' '}
            · {shortId(row.nativeSessionId)}
          </span>
        )}
      </span>
    </div>
  )
}

function SessionCell({ row }: { readonly row: TimelineRow }) {
  return (
    <div role="gridcell" className="cell timeline-wide">
      <span
        className="mono cut text-11 text-ink-2"
        data-test="session-name"
        data-value={row.sessionName ?? ''}
        title={row.sessionName ?? undefined}
      >
        {row.sessionName === null ? '–' : nameWithoutPrefix(row.sessionName)}
      </span>
      {row.nativeSessionId === null ? (
        <span className="cut text-11 text-ink-3" data-test="native-session-id" data-value="">
          {row.mode === 'none' ? 'no session' : isLive(row) ? 'no id yet' : 'no id reported'}
        </span>
      ) : (
        <span>
          <CopyId
            id={row.nativeSessionId}
            text={shortId(row.nativeSessionId)}
            what="session id"
            isTabStop={false}
            test="native-session-id"
          />
        </span>
      )}
    </div>
  )
}

/** Ticks by itself while the run lives, so that its row is not drawn anew each second. */
function Duration({ row }: { readonly row: TimelineRow }) {
  const isTicking = isLive(row) && row.startedAt !== null
  const now = useNow(isTicking)
  const ms = row.startedAt === null ? null : (row.endedAt ?? now) - row.startedAt
  return (
    <span
      className={ms === null ? 'text-12 text-ink-3' : 'text-12'}
      data-test="run-duration"
      data-value={isTicking ? '' : (ms ?? '')}
    >
      {ms === null ? '–' : formatDuration(ms)}
    </span>
  )
}

interface TokensCellProps {
  readonly row: TimelineRow
  readonly minute: number
  readonly hasDayMark: boolean
}

function TokensCell({ row, minute, hasDayMark }: TokensCellProps) {
  const tokens = totalTokens(row)
  return (
    <div role="gridcell" className="cell figure timeline-wide">
      <span
        className={tokens === null ? 'text-12 text-ink-3' : 'text-12'}
        data-test="run-tokens"
        data-value={tokens ?? ''}
      >
        {formatTokenTotal(tokens)}
      </span>
      <span
        className="text-11 text-ink-3"
        title={row.startedAt === null ? undefined : isoWithOffset(row.startedAt)}
      >
        {row.startedAt === null
          ? 'not started'
          : hasDayMark
            ? formatClock(row.startedAt)
            : formatDayTime(row.startedAt, minute)}
      </span>
    </div>
  )
}

function OutcomeCell({ row }: { readonly row: TimelineRow }) {
  const look = outcomeLook(row)
  return (
    <div role="gridcell" className="cell">
      <span
        className={`flex min-w-0 items-center gap-[5px] font-medium ${tones[look.tone]}`}
        data-test="run-outcome"
        data-value={row.outcome ?? ''}
        data-state={row.state}
      >
        {look.icon === null ? <LiveDot className="mx-[3px]" /> : <Icon name={look.icon} size={14} />}
        <span className="cut">{useSteady(look.text)}</span>
      </span>
      {isLive(row) ? (
        <span>
          <StopButton row={row} />
        </span>
      ) : (
        <span className="cut text-11 text-ink-3" data-test="run-result" title={row.result ?? undefined}>
          {row.result ?? ''}
        </span>
      )}
    </div>
  )
}

function StopButton({ row }: { readonly row: TimelineRow }) {
  const isInterrupted = row.state === 'queued' && row.outcome === 'interrupted'
  return (
    <Button
      size="sm"
      variant={isInterrupted ? 'normal' : 'danger'}
      icon="square"
      label={isInterrupted ? 'Give up' : 'Stop'}
      spokenLabel={`${isInterrupted ? 'Give up' : 'Stop'} run ${row.runId}`}
      tabIndex={-1}
      isBusy={row.state === 'stopping'}
      test="stop-run"
      onClick={(event) => {
        event.stopPropagation()
        askToStop(row.runId)
      }}
    />
  )
}
