import { useEffect, useRef, type ReactNode } from 'react'
import { formatAge, formatDuration, shortId } from '@shared/format'
import { formatTime } from '@shared/format/times'
import type { RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { CopyId } from '../../components/copy-id'
import { useNow } from '../../lib/clock'
import { openView } from '../../lib/navigation/store'
import { useQueryEntry } from '../../lib/use-query-entry'
import { CardChoice, TerminalCard } from './terminal-card'
import { runName } from './terminal-words'
import { useLastSign } from './use-last-sign'

export interface InUseCardProps {
  /** The run that holds the session, and since when. */
  readonly runId: RunId
  readonly since: number
  /** What a person chose is being done. */
  readonly isBusy: boolean
  /** What a person should know before. */
  readonly note: ReactNode
  readonly onTakeOver: () => void
  readonly onStartFresh: () => void
}

/** Only one writer at a time: who holds the session, since when, and what can be done about it. */
export function InUseCard({ runId, since, isBusy, note, onTakeOver, onStartFresh }: InUseCardProps) {
  const { data: detail } = useQueryEntry('runs.get', { runId })
  const sign = useLastSign(runId)
  const now = useNow()
  const watch = useRef<HTMLButtonElement>(null)
  useEffect(() => watch.current?.focus(), [])
  const row = detail?.row ?? null
  const by = detail?.requestedBy ?? null
  return (
    <TerminalCard
      icon="lock"
      tone="warn"
      title="This session is in use"
      text="Only one writer at a time, so that nothing the agent learned is lost."
      test="session-in-use"
      isAlert
    >
      <dl className="terminal-facts">
        <Fact name="Used by" test="lock-owner">
          <b className="font-semibold">{row === null ? `Run ${runId}` : runName(row)}</b>
          {detail !== undefined && ` · started by ${by ?? 'Alfred'}`}
        </Fact>
        <Fact name="Since" test="lock-age">
          {`${formatTime(since, { now })}, ${formatDuration(Math.max(0, now - since))} ago`}
          {sign !== null && ` · sign of life ${formatAge(Math.max(0, now - sign))} ago`}
        </Fact>
        {row?.sessionName != null && (
          <Fact name="Session">
            <span className="mono cut block text-11">{row.sessionName}</span>
          </Fact>
        )}
        {row?.nativeSessionId != null && (
          <Fact name="Id">
            <CopyId
              id={row.nativeSessionId}
              text={shortId(row.nativeSessionId)}
              what="session id"
              test="native-session-id"
            />
          </Fact>
        )}
      </dl>
      <div className="terminal-choices">
        <CardChoice
          button={
            <Button
              ref={watch}
              variant="primary"
              icon="eye"
              label="Watch"
              spokenLabel={`Watch run ${runId}`}
              test="watch-run"
              onClick={() => openView({ screen: 'run', runId })}
            />
          }
        >
          Follow run {runId} read-only. It goes on.
        </CardChoice>
        <CardChoice
          button={
            <Button
              variant="danger"
              icon="square"
              label="Take over"
              isBusy={isBusy}
              test="take-over"
              onClick={onTakeOver}
            />
          }
        >
          Stops run {runId} first (up to 10s), keeps its work, then attaches.
        </CardChoice>
        <CardChoice
          button={
            <Button
              icon="plus"
              label="Start fresh"
              isBusy={isBusy}
              test="start-fresh"
              onClick={onStartFresh}
            />
          }
        >
          Stops run {runId} first, then starts a new session without this memory.
        </CardChoice>
      </div>
      {note}
    </TerminalCard>
  )
}

function Fact({
  name,
  test,
  children,
}: {
  readonly name: string
  readonly test?: string
  readonly children: ReactNode
}) {
  return (
    <>
      <dt>{name}</dt>
      <dd data-test={test}>{children}</dd>
    </>
  )
}
