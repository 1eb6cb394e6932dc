import type { RunDetail } from '@shared/contract/runs'
import { formatCost, formatDuration } from '@shared/format'
import type { RunId } from '@shared/model/ids'
import { phaseWords } from '@shared/phase-words'
import { EmptyState } from '../../components/empty-state'
import { Icon } from '../../components/icon'
import { MemoryBadge } from '../../components/memory-badge'
import { Moment } from '../../components/moment'
import { SkeletonRows } from '../../components/skeleton'
import { classNames } from '../../lib/class-names'
import { useNow } from '../../lib/clock'
import { onRovingKey, rovingButton } from '../../lib/keyboard/roving-buttons'
import { openView } from '../../lib/navigation/store'
import { phaseIcons } from '../../lib/phase-icons'
import { useQueryEntry } from '../../lib/use-query-entry'

/** As many as the newest page of a timeline has; older runs of a memory are found on the timeline itself. */
const mostRows = 200

/** The runs that share this run's memory, oldest first. */
export function MemoryTab({ detail }: { readonly detail: RunDetail }) {
  const { data } = useQueryEntry('sessions.timeline', {
    mailboxId: detail.mailboxId,
    beforeRunId: null,
    limit: mostRows,
  })
  const isShared = new Set<RunId>(detail.sameMemory)
  const rows = data?.rows.filter((row) => isShared.has(row.runId))
  const now = useNow(rows?.some((row) => row.state !== 'ended') ?? false)
  if (!rows) return <SkeletonRows count={Math.min(8, detail.sameMemory.length)} height={48} />
  if (rows.length === 0) {
    return (
      <EmptyState motif={{ thread: 'none' }} title="No other run shares this memory">
        {detail.row.mode === 'none'
          ? 'Sessions do not apply to this run.'
          : 'The next run of this issue continues it.'}
      </EmptyState>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys of the buttons inside
    <div className="min-h-0 grow overflow-y-auto" data-test="same-memory" onKeyDown={onRovingKey}>
      {rows.map((row) => (
        <button
          key={row.runId}
          type="button"
          data-test="memory-row"
          data-run={row.runId}
          aria-current={row.runId === detail.row.runId || undefined}
          {...rovingButton(row.runId === detail.row.runId)}
          className={classNames(
            'flex min-h-12 w-full items-center gap-2.5 border-b border-line px-4 py-2 text-left text-12 hover:bg-hover',
            row.runId === detail.row.runId && 'bg-selected',
          )}
          onClick={() => openView({ screen: 'run', runId: row.runId })}
        >
          <Icon name={phaseIcons[row.phase]} size={14} className="text-ink-2" />
          <span className="w-36 flex-none cut">
            <span className="text-13 font-medium">{phaseWords[row.phase]}</span>{' '}
            <span className="text-ink-3">{row.runId}</span>
          </span>
          <span className="w-50 flex-none">
            <MemoryBadge row={row} />
          </span>
          <span className="cut grow text-ink-2">{row.result ?? ''}</span>
          <span className="flex-none text-ink-2">
            {row.startedAt === null ? 'not started' : formatDuration((row.endedAt ?? now) - row.startedAt)}
          </span>
          <span className="w-16 flex-none text-right text-ink-2">{formatCost(row.costUsd)}</span>
          <Moment
            className="w-24 flex-none text-right text-ink-3"
            at={row.startedAt ?? row.createdAt}
            now={now}
          />
        </button>
      ))}
    </div>
  )
}
