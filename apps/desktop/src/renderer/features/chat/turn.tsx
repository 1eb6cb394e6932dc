import type { ChatMessageRow, ChatTurn } from '@shared/contract/chats'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { ResumeChoice } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Markdown } from '../../components/markdown'
import { MemoryBadge } from '../../components/memory-badge'
import { Notice } from '../../components/notice'
import { useNow } from '../../lib/clock'
import { openView } from '../../lib/navigation/store'
import { turnFigures } from './chat-words'
import { Attachments } from './attachments'
import { FallbackNotice } from './fallback-notice'
import { LiveTurn } from './live-turn'
import { TurnNote } from './turn-note'

export interface TurnProps {
  readonly turn: ChatTurn
  readonly asked: ChatMessageRow | null
  readonly answered: ChatMessageRow | null
  readonly now: MailboxDetail['now']
  readonly isLast: boolean
  /** Nothing holds the issue, so that something can be said. */
  readonly isFree: boolean
  readonly letters: { readonly lost: string | null; readonly own: string | null }
  readonly onSendAgain: (message: ChatMessageRow, resumeChoice: ResumeChoice) => void
}

/** What was asked, what came of it, and whether the agent remembered. */
export function Turn({ turn, asked, answered, now, isLast, isFree, letters, onSendAgain }: TurnProps) {
  const { row } = turn
  const isLive = row.state !== 'ended'
  return (
    <>
      {asked !== null && (
        <div className="said-by-person" data-test="chat-message" data-role="person" data-state={asked.state}>
          <span className="sr">You: </span>
          {asked.text}
          <Attachments attachments={asked.attachments} />
        </div>
      )}
      <FallbackNotice
        turn={turn}
        letters={letters}
        canAnswer={isLast && isFree}
        onRetry={(choice) => asked !== null && onSendAgain(asked, choice)}
      />
      {isLive ? (
        <LiveTurn turn={turn} now={now} />
      ) : (
        <>
          {answered !== null && (
            <div className="said-by-agent" data-test="chat-message" data-role="agent">
              <span className="sr">{row.adapter}: </span>
              <Markdown text={answered.text} />
            </div>
          )}
          {row.outcome !== 'succeeded' && (
            <EndNotice
              turn={turn}
              asked={asked}
              canRetry={isLast && isFree}
              onRetry={() => asked !== null && onSendAgain(asked, 'auto')}
            />
          )}
        </>
      )}
      {turn.notes.map((note) => (
        <TurnNote key={note} text={note} />
      ))}
      <TurnFacts turn={turn} />
    </>
  )
}

/** Why a turn did not end well, and whether anything of the message reached the agent. */
function EndNotice({
  turn: { row, failure },
  asked,
  canRetry,
  onRetry,
}: {
  readonly turn: ChatTurn
  readonly asked: ChatMessageRow | null
  readonly canRetry: boolean
  readonly onRetry: () => void
}) {
  const isStopped = row.outcome === 'stopped'
  const cameBack = asked?.state === 'draft'
  return (
    <Notice
      tone={isStopped ? 'neutral' : 'bad'}
      icon={isStopped ? 'square' : 'circle-x'}
      title={isStopped ? 'You stopped this turn.' : 'This turn did not end well.'}
      test="turn-ended"
      actions={
        cameBack &&
        canRetry && <Button size="sm" icon="retry" label="Retry" test="retry-turn" onClick={onRetry} />
      }
    >
      {!isStopped && failure !== null && `${failure.replace(/[.!]?$/, '.')} `}
      {cameBack
        ? 'Nothing of your message reached the agent.'
        : 'Your message reached the agent, so it is not sent again by itself.'}
    </Notice>
  )
}

function TurnFacts({ turn }: { readonly turn: ChatTurn }) {
  const { row } = turn
  const isLive = row.state !== 'ended'
  const now = useNow(isLive)
  return (
    <div className="turn-facts" aria-live="off">
      <MemoryBadge row={row} />
      <button
        type="button"
        className="turn-run"
        data-test="open-turn"
        onClick={() => openView({ screen: 'run', runId: row.runId })}
      >
        run {row.runId}
      </button>
      <span data-test="turn-figures" data-value={row.costUsd ?? ''}>
        {turnFigures(turn, now)}
      </span>
      {row.sessionOffReason !== null && <span data-test="turn-replayed">a replay, not the memory</span>}
    </div>
  )
}
