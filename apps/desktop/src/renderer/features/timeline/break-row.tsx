import { memo } from 'react'
import type { TimelineRow } from '@shared/contract/sessions'
import { formatAge, formatBytes, formatCost, formatTokens, shortId } from '@shared/format'
import { totalTokens } from '@shared/format/tokens'
import type { MemoryBreak } from '@shared/timeline/memory-break'
import type { RailSlice } from '@shared/timeline/rail'
import { breakSentence } from '@shared/timeline/row-sentence'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { BreakRail } from './session-rail'
import { breakReason, breakTitle } from './strings'

export interface BreakRowProps {
  readonly row: TimelineRow
  readonly slice: RailSlice
  readonly gap: MemoryBreak
  readonly itemKey: string
  readonly isTabStop: boolean
  /** Where it stands in the timeline and how high it is, in pixels. */
  readonly top: number
  readonly height: number
  readonly retryReason: string | null
  readonly onFocus: (itemKey: string) => void
  readonly onRetryOldId: (row: TimelineRow) => void
}

/** The band where a memory was lost: which, why, what was asked for, what it costs, and the repair. */
export const BreakRow = memo(function BreakRow(props: BreakRowProps) {
  const { row, slice, gap, itemKey, isTabStop, top, height, retryReason, onFocus, onRetryOldId } = props
  return (
    <div
      role="row"
      aria-label={breakSentence(gap)}
      tabIndex={isTabStop ? 0 : -1}
      className="timeline-item break-row"
      style={{ transform: `translateY(${top}px)`, height }}
      data-test="memory-break"
      data-run={row.runId}
      data-item={itemKey}
      onFocus={(event) => event.target === event.currentTarget && onFocus(itemKey)}
    >
      <BreakRail slice={slice} height={height} />
      <div role="gridcell" className="break-band">
        <Icon name="unlink" size={16} className="text-warn" />
        <div className="min-w-0 grow">
          <div className="cut" title={breakSentence(gap)}>
            <b className="text-warn">{breakTitle(gap)}</b>{' '}
            <span data-test="resume-fallback-reason" data-value={gap.reason}>
              {breakReason(gap, `run ${row.runId}`, slice.letter)}
            </span>
          </div>
          <BreakFacts row={row} gap={gap} />
        </div>
        {gap.canRetry && (
          <Button
            size="sm"
            label="Retry old id"
            spokenLabel={gap.letter === null ? 'Retry old id' : `Retry old id of memory ${gap.letter}`}
            tabIndex={-1}
            disabledReason={retryReason}
            test="retry-previous-id"
            onClick={() => onRetryOldId(row)}
          />
        )}
      </div>
    </div>
  )
})

function BreakFacts({ row, gap }: { readonly row: TimelineRow; readonly gap: MemoryBreak }) {
  const tokens = totalTokens(row)
  const facts = [
    gap.stateBytes === null ? null : formatBytes(gap.stateBytes),
    gap.ageMs === null ? null : `saved ${formatAge(gap.ageMs)} before`,
  ].filter((fact) => fact !== null)
  return (
    <div className="cut text-11 text-ink-2">
      {gap.requestedId !== null && (
        <>
          Asked for{' '}
          <span
            className="mono selectable"
            data-test="previous-session-id"
            data-value={gap.requestedId}
            title={gap.requestedId}
          >
            {shortId(gap.requestedId)}
          </span>
        </>
      )}
      {facts.length > 0 && ` · ${facts.join(', ')}`}
      {(tokens !== null || gap.costUsd !== null) && (
        <>
          {' · '}this run took{' '}
          {[
            tokens === null ? null : `${formatTokens(tokens)} tokens`,
            gap.costUsd === null ? null : formatCost(gap.costUsd),
          ]
            .filter(Boolean)
            .join(', ')}
        </>
      )}
    </div>
  )
}
