import { useEffect, useRef, useState } from 'react'
import type { ChatMessageRow, ChatThreadDetail, ChatTurn } from '@shared/contract/chats'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { AdapterId } from '@shared/model/words'
import { Button } from '../../components/button'
import { useStickToEnd } from '../../lib/use-stick-to-end'
import { ChatSearch } from './chat-search'
import { turnsWith } from './find-messages'
import { Turn } from './turn'
import type { Turns } from './use-turns'

export interface MessagesProps {
  readonly detail: ChatThreadDetail
  /** What happens with the issue now: of a turn that waits it says for what. */
  readonly now: MailboxDetail['now']
  readonly turns: Turns
  readonly letterOf: (adapter: AdapterId, nativeId: string | null) => string | null
  /** What is looked for in the chat; null: nobody looks for anything. */
  readonly search: string | null
  readonly onSearch: (text: string | null) => void
  readonly onEarlier: () => void
}

/** What was said, turn by turn, and what is being said. */
export function Messages(props: MessagesProps) {
  const { detail, now, turns, letterOf, search, onSearch, onEarlier } = props
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const overflow = useOverflow(scroller, content)
  const stick = useStickToEnd(scroller, overflow, detail.messageCount)
  const hasEarlier = detail.messages.length < detail.messageCount
  const said = bySpeaker(detail.messages)
  const last = detail.turns.at(-1)?.row.runId
  const found = turnsWith(detail.messages, search ?? '')
  const shown = found === null ? detail.turns : detail.turns.filter(({ row }) => found.has(row.runId))
  return (
    <>
      {search !== null && (
        <ChatSearch text={search} found={found?.size ?? null} total={detail.turnCount} onChange={onSearch} />
      )}
      <div
        ref={scroller}
        className="chat-messages"
        role="log"
        aria-live="polite"
        aria-label="Messages"
        data-test="chat-messages"
        data-letter-keys
        tabIndex={0}
        onScroll={stick.onScroll}
      >
        <div ref={content} className="chat-column">
          {hasEarlier && (
            <Button
              className="mx-auto"
              size="sm"
              variant="quiet"
              label={`Show earlier messages (${detail.messageCount - detail.messages.length})`}
              test="earlier-messages"
              onClick={onEarlier}
            />
          )}
          {detail.turns.length === 0 && <NothingSaid />}
          {shown.map((turn) => (
            <Turn
              key={turn.row.runId}
              turn={turn}
              asked={said.person.get(turn.row.runId) ?? null}
              answered={said.agent.get(turn.row.runId) ?? null}
              now={turn === turns.live ? now : null}
              isLast={turn.row.runId === last}
              isFree={turns.waitsFor === null && !turns.isBusy}
              letters={lettersOf(turn, letterOf)}
              onSendAgain={turns.sendAgain}
            />
          ))}
        </div>
        {!stick.isFollowing && (
          <Button
            className="chat-to-end"
            size="sm"
            icon="chevron-down"
            label="Newest message"
            test="to-newest-message"
            onClick={stick.follow}
          />
        )}
      </div>
    </>
  )
}

function NothingSaid() {
  return (
    <p className="py-10 text-center text-12 text-ink-3" data-test="empty-chat">
      Nothing was said here yet. The agent works in the sandbox of this issue as the last run left it.
    </p>
  )
}

type Said = ReadonlyMap<number, ChatMessageRow>

function bySpeaker(messages: readonly ChatMessageRow[]): { readonly person: Said; readonly agent: Said } {
  const of = (role: ChatMessageRow['role']): Said =>
    new Map(messages.filter((message) => message.role === role).map((message) => [message.runId, message]))
  return { person: of('person'), agent: of('agent') }
}

const lettersOf = ({ row }: ChatTurn, letterOf: MessagesProps['letterOf']) => ({
  lost: letterOf(row.adapter, row.requestedSessionId),
  own: letterOf(row.adapter, row.nativeSessionId),
})

type Box = { readonly current: HTMLElement | null }

/** By how much what is said is higher than the place for it; both change. */
function useOverflow(scroller: Box, content: Box): number {
  const [overflow, setOverflow] = useState(0)
  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current]
    if (outer === null || inner === null) return
    const observer = new ResizeObserver(() => setOverflow(inner.offsetHeight - outer.clientHeight))
    observer.observe(outer)
    observer.observe(inner)
    return () => observer.disconnect()
  }, [scroller, content])
  return overflow
}
