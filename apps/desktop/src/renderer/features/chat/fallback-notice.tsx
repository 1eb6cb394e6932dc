import type { ChatTurn } from '@shared/contract/chats'
import { formatCost, formatTokens } from '@shared/format'
import type { ResumeChoice } from '@shared/model/ids'
import { totalTokens } from '@shared/format/tokens'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { keepFreshMemory, useChatNotes } from './chat-notes'
import { fallbackWords } from './chat-words'

export interface FallbackNoticeProps {
  readonly turn: ChatTurn
  readonly letters: { readonly lost: string | null; readonly own: string | null }
  /** It is the last turn, and nothing runs. */
  readonly canAnswer: boolean
  readonly onRetry: (choice: ResumeChoice) => void
}

/** A turn that could not resume: why, what became of the message, and the way back; absent where it lost nothing. */
export function FallbackNotice({ turn, letters, canAnswer, onRetry }: FallbackNoticeProps) {
  const { row, lostSessionId } = turn
  const isKept = useChatNotes(({ kept }) => kept.includes(row.runId))
  const words = fallbackWords(turn, letters)
  if (words === null) return null
  const tokens = row.state === 'ended' ? totalTokens(row) : null
  return (
    <div className="notice" data-tone="warn" role="alert" data-test="chat-fallback-notice">
      <Icon name="unlink" size={18} />
      <div className="min-w-0 grow">
        <b>{words.title}</b>{' '}
        <span data-test="resume-fallback-reason" data-value={row.resumeFallback ?? ''}>
          {words.reason}
        </span>{' '}
        {words.text}
        <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
          {canAnswer && !isKept && (
            <>
              {lostSessionId !== null && (
                <Button
                  size="sm"
                  icon="retry"
                  label={
                    letters.lost === null ? 'Retry with the old memory' : `Retry with memory ${letters.lost}`
                  }
                  test="retry-previous-id"
                  onClick={() => onRetry(`session:${lostSessionId}`)}
                />
              )}
              <Button
                size="sm"
                icon="check"
                label={letters.own === null ? 'Keep the fresh memory' : `Keep memory ${letters.own}`}
                test="keep-fresh-session"
                onClick={() => keepFreshMemory(row.runId)}
              />
            </>
          )}
          <span className="grow" />
          {tokens !== null && (
            <span className="text-11 text-ink-2">
              {`extra reading ≈ ${formatTokens(tokens)} tokens, ${formatCost(row.costUsd)}`}
            </span>
          )}
        </div>
      </div>
    </div>
  )
}
