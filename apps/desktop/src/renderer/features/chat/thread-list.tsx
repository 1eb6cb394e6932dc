import type { ReactNode } from 'react'
import type { ChatMemory, OpenedChat } from '@shared/contract/chats'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { ChatThreadId, RunId } from '@shared/model/ids'
import { memoryLetter } from '@shared/timeline/memory-letters'
import { BackButton } from '../../components/back-button'
import { Button } from '../../components/button'
import { Icon, type IconName } from '../../components/icon'
import { useMinute } from '../../lib/clock'
import type { QueryOutput } from '../../lib/engine-client'
import { keysOf } from '../../lib/keyboard/key-map'
import { onRovingKey, rovingButton } from '../../lib/keyboard/roving-buttons'
import { letterStroke } from '../../lib/thread-colour'
import { chatFigures, memoryFigures, memoryStateWords } from './chat-words'

export type ChatsOfMailbox = QueryOutput<'chats.ofMailbox'>

export interface ThreadListProps {
  readonly mailbox: MailboxDetail
  /** `#128` */
  readonly reference: string
  readonly chats: ChatsOfMailbox
  /** The one that is open; in a terminal its memory alone. */
  readonly chat: Pick<OpenedChat, 'adapter' | 'nativeSessionId'> & { readonly threadId: ChatThreadId | null }
  /** What is said of its memory where that can be continued; a chat has words of its own. */
  readonly currentWords?: string
  readonly isBusy: boolean
  readonly onMemory: (runId: RunId) => void
  readonly onChat: (threadId: ChatThreadId) => void
  readonly onNewChat: () => void
}

/** The memories of an issue and its chats; choosing one of them leaves the chat that is open. */
export function ThreadList(props: ThreadListProps) {
  const { mailbox, reference, isBusy, onNewChat } = props
  return (
    <aside
      className="thread-list"
      data-test="thread-list"
      data-pane="threads"
      aria-label="Memories and chats"
    >
      <div className="thread-list-head">
        <div className="flex items-center gap-2 text-11 text-ink-3">
          <BackButton />
          <span className="flex-none">{reference}</span>
          <span className="cut">{mailbox.projectPath}</span>
        </div>
        <p className="mt-1 font-semibold text-pretty" title={mailbox.title}>
          {mailbox.title}
        </p>
      </div>
      <ThreadRows {...props} />
      <span className="grow" />
      <div className="border-t border-line px-3 py-2.5">
        <Button
          className="w-full"
          icon="plus"
          label="New chat, fresh memory"
          keys={keysOf('new-chat')}
          isBusy={isBusy}
          test="new-chat"
          onClick={onNewChat}
        />
      </div>
    </aside>
  )
}

function ThreadRows({ chats, chat, currentWords, onMemory, onChat }: ThreadListProps) {
  const now = useMinute()
  const isOfChat = (memory: ChatMemory): boolean =>
    memory.adapter === chat.adapter && memory.nativeSessionId === chat.nativeSessionId
  const hasCurrent = chats.memories.some(isOfChat)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys of the buttons inside
    <div className="thread-rows" onKeyDown={onRovingKey}>
      {chats.memories.length > 0 && <h2 className="thread-list-label">Memories of this issue</h2>}
      {chats.memories.map((memory, index) => (
        <MemoryRow
          key={`${memory.adapter}:${memory.nativeSessionId}`}
          memory={memory}
          letter={memoryLetter(index)}
          isCurrent={isOfChat(memory)}
          currentWords={currentWords}
          isStop={hasCurrent ? isOfChat(memory) : index === 0}
          now={now}
          onChoose={() => onMemory(memory.runId)}
        />
      ))}
      {chats.chats.length > 0 && <h2 className="thread-list-label border-t border-line pt-3">Chats</h2>}
      {chats.chats.map((row, index) => (
        <button
          key={row.threadId}
          type="button"
          className="chat-row"
          data-test="chat-row"
          data-value={row.threadId}
          aria-current={row.threadId === chat.threadId ? 'true' : undefined}
          {...rovingButton(chats.memories.length === 0 && index === 0)}
          onClick={() => onChat(row.threadId)}
        >
          <Icon name="message" size={15} />
          <span className="min-w-0">
            <span className="cut block text-12 font-medium text-ink">{row.title}</span>
            <span className="cut block text-11 text-ink-3">{chatFigures(row, now)}</span>
          </span>
        </button>
      ))}
    </div>
  )
}

const stateIcons = { ok: 'link', lost: 'unlink', removed: 'trash' } as const satisfies Record<
  ChatMemory['state'],
  IconName
>

interface MemoryRowProps {
  readonly memory: ChatMemory
  readonly letter: string
  readonly isCurrent: boolean
  readonly currentWords: string | undefined
  readonly isStop: boolean
  readonly now: number
  readonly onChoose: () => void
}

function MemoryRow({ memory, letter, isCurrent, currentWords, isStop, now, onChoose }: MemoryRowProps) {
  const isRemoved = memory.state === 'removed'
  const words =
    isCurrent && memory.state === 'ok' && currentWords !== undefined
      ? currentWords
      : memoryStateWords(memory, isCurrent, now)
  return (
    <button
      type="button"
      className="memory-choice"
      data-test="thread-row"
      data-thread={letter}
      data-state={memory.state}
      aria-current={isCurrent ? 'true' : undefined}
      aria-disabled={isRemoved || undefined}
      {...rovingButton(isStop)}
      onClick={() => !isRemoved && !isCurrent && onChoose()}
    >
      <LetterMark letter={letter} />
      <span className="min-w-0">
        <span className="flex gap-1.5 text-12">
          <span className="flex-none font-semibold">Memory {letter}</span>
          <span className="cut text-ink-2">{memory.adapter}</span>
        </span>
        <span className="cut block text-11 text-ink-3">{memoryFigures(memory, now)}</span>
        <StateLine tone={toneOf(memory, isCurrent)} icon={isCurrent ? 'message' : stateIcons[memory.state]}>
          {words}
        </StateLine>
      </span>
    </button>
  )
}

const toneOf = ({ state }: ChatMemory, isCurrent: boolean): string => {
  if (state === 'lost') return 'text-warn'
  if (state === 'removed') return 'text-ink-3'
  return isCurrent ? 'text-run' : 'text-ok'
}

function StateLine({
  tone,
  icon,
  children,
}: {
  readonly tone: string
  readonly icon: IconName
  readonly children: ReactNode
}) {
  return (
    <span className={`flex items-center gap-1 text-11 ${tone}`}>
      <Icon name={icon} size={12} />
      <span className="cut">{children}</span>
    </span>
  )
}

function LetterMark({ letter }: { readonly letter: string }) {
  const stroke = letterStroke(letter)
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true" className="mx-auto">
      <circle cx="10" cy="10" r="8.5" stroke={stroke} strokeWidth="2" />
      <text x="10" y="13.6" textAnchor="middle" fontSize="10" fontWeight="700" fill={stroke}>
        {letter}
      </text>
    </svg>
  )
}
