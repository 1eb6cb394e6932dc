import type { RunDetail } from '@shared/contract/runs'
import { formatAge, formatBytes, shortId } from '@shared/format'
import { sessionOffWords } from '@shared/timeline/row-sentence'
import { CopyId } from '../../components/copy-id'
import { MemoryBadge } from '../../components/memory-badge'
import { StateChips } from '../../components/state-chips'
import { stateAge } from '../../lib/memory-badge'
import { agentWords } from './run-words'

/** The session of the run in one line: memory, id, state, agent, name. */
export function RunFacts({ detail }: { readonly detail: RunDetail }) {
  const { row } = detail
  return (
    <dl className="facts-row" data-test="run-session-facts">
      <div>
        <dt>Memory</dt>
        <dd className="flex flex-wrap items-center gap-1">
          <MemoryBadge row={row} />
          <StateChips row={row} />
        </dd>
      </div>
      <div>
        <dt>Native id</dt>
        <dd>
          {row.nativeSessionId === null ? (
            <span className="text-ink-3" data-test="native-session-id" data-value="">
              {row.mode === 'none' ? 'none' : 'no id reported'}
            </span>
          ) : (
            <CopyId
              id={row.nativeSessionId}
              text={shortId(row.nativeSessionId)}
              what="session id"
              test="native-session-id"
            />
          )}
        </dd>
      </div>
      <div>
        <dt>State before, after</dt>
        <dd className="whitespace-nowrap">
          <StateSizes row={row} />
        </dd>
      </div>
      <div>
        <dt>Agent</dt>
        <dd className="whitespace-nowrap" data-test="session-agent" data-value={row.adapter}>
          {agentWords(row)}
        </dd>
      </div>
      <div>
        <dt>Session name</dt>
        <dd
          className="mono cut selectable"
          data-test="session-name"
          data-value={row.sessionName ?? ''}
          title={row.sessionName ?? undefined}
        >
          {row.sessionName ?? <span className="font-ui text-ink-3">{offReason(row)}</span>}
        </dd>
      </div>
    </dl>
  )
}

const offReason = (row: RunDetail['row']): string =>
  row.sessionOffReason === null ? 'none' : `none: ${sessionOffWords[row.sessionOffReason]}`

function StateSizes({ row }: { readonly row: RunDetail['row'] }) {
  if (row.mode === 'none') return <span className="text-ink-3">none</span>
  const age = stateAge(row)
  const before = row.stateBytesBefore === null ? 'new' : formatBytes(row.stateBytesBefore)
  const after = row.endedAt === null ? 'live' : formatBytes(row.stateBytesAfter)
  return (
    <>
      <span data-test="session-state-size" data-value={row.stateBytesBefore ?? ''}>
        {before}
      </span>
      {age !== null && row.stateBytesBefore !== null && (
        <span data-test="session-state-age" data-value={age}>
          {`, ${formatAge(age)} old`}
        </span>
      )}{' '}
      <span className="text-ink-3">{`→ ${after}`}</span>
    </>
  )
}
