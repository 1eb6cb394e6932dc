import type { TimelineRow } from '@shared/contract/sessions'
import { formatAge, formatBytes, shortId } from '@shared/format'
import { isLoss } from '@shared/timeline/session-badge'
import { sessionOffInShort } from '@shared/timeline/row-sentence'
import { MemoryBadge } from '../../components/memory-badge'
import { StateChips } from '../../components/state-chips'
import { badgeSentence, stateAge, type KeptMemory } from '../../lib/memory-badge'

export interface MemoryCellProps {
  readonly row: TimelineRow
  /** The memory that the row did not take up. */
  readonly kept: KeptMemory | null
}

/** The badge, and under it what the memory weighed and how old it was. */
export function MemoryCell({ row, kept }: MemoryCellProps) {
  return (
    <div role="gridcell" className="cell">
      <MemoryBadge row={row} kept={kept} />
      <span className="flex min-w-0 items-center gap-1.5 text-11 text-ink-3">
        <StateChips row={row} />
        <span className="cut" data-test="session-memory" title={badgeSentence(row, kept)}>
          <MemoryFacts row={row} kept={kept} />
        </span>
      </span>
    </div>
  )
}

function MemoryFacts({ row, kept }: MemoryCellProps) {
  if (isLoss(row.badge)) return <LostId id={row.requestedSessionId} />
  switch (row.badge) {
    case 'pending':
      return row.requestedSessionId === null ? null : <SizeAndAge row={row} />
    case 'resumed':
      return <SizeAndAge row={row} />
    case 'no_prior_session':
      return row.stateBytesAfter === null ? (
        'new'
      ) : (
        <>
          new · <Size bytes={row.stateBytesAfter} /> saved
        </>
      )
    case 'adapter_changed':
      return `no ${row.adapter} session before`
    case 'chosen_fresh':
      if (row.isImported) return <Size bytes={row.stateBytesAfter} />
      if (kept === null) return 'what was remembered is kept'
      return `memory ${kept.letter} ${kept.isRemoved ? 'was removed at cleanup' : 'is kept'}`
    case 'unproven':
      return row.requestedSessionId === null ? '' : `asked for ${shortId(row.requestedSessionId)}`
    case 'none':
      return row.sessionOffReason === null ? '' : sessionOffInShort[row.sessionOffReason]
    default:
      return null
  }
}

const LostId = ({ id }: { readonly id: string | null }) =>
  id === null ? null : (
    <span className="text-warn">
      was{' '}
      <span data-test="previous-session-id" data-value={id} title={id}>
        {shortId(id)}
      </span>
    </span>
  )

const Size = ({ bytes }: { readonly bytes: number | null }) => (
  <span data-test="session-state-size" data-value={bytes ?? ''}>
    {formatBytes(bytes)}
  </span>
)

function SizeAndAge({ row }: { readonly row: TimelineRow }) {
  const age = stateAge(row)
  return (
    <>
      <Size bytes={row.stateBytesBefore} />
      {' · '}
      <span data-test="session-state-age" data-value={age ?? ''}>
        {age === null ? 'age unknown' : `${formatAge(age)} old`}
      </span>
    </>
  )
}
