import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { ChatThreadDetail } from '@shared/contract/chats'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { mailboxReference } from '@shared/format/references'
import type { ChatThreadId, MailboxId, RunId } from '@shared/model/ids'
import type { AdapterId } from '@shared/model/words'
import { memoryKey, memoryLetter } from '@shared/timeline/memory-letters'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { Notice } from '../../components/notice'
import { SkeletonRows } from '../../components/skeleton'
import { chatRefusal } from '../../lib/chat-refusal'
import { engine } from '../../lib/engine-client'
import { useActions } from '../../lib/keyboard/actions'
import { goBack, openView, replaceView, replaceViewFrom } from '../../lib/navigation/store'
import { saveText } from '../../lib/shell'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'
import { ChatHeader } from './chat-header'
import { chatStateOf } from './chat-state'
import { Composer } from './composer'
import { Messages } from './messages'
import { RenameDialog } from './rename-dialog'
import { ResumeBanner } from './resume-banner'
import { ThreadList, type ChatsOfMailbox } from './thread-list'
import { useTurns } from './use-turns'

export interface ChatScreenProps {
  readonly mailboxId: MailboxId
  readonly threadId: ChatThreadId
  /** Commits of the issue that wait for a person. */
  readonly unpushed: (mailbox: MailboxDetail, reference: string) => ReactNode
}

/** Messages that a chat opens with, and that each look further back adds. */
const messagesAtOnce = 50
/** As many as the engine gives. */
const mostMessages = 10_000

/** One chat with a memory of an issue, beside its other memories and chats. Fills the body beside the rail. */
export function ChatScreen({ mailboxId, threadId, unpushed }: ChatScreenProps) {
  const [limit, setLimit] = useState(messagesAtOnce)
  const mailbox = useQueryEntry('mailboxes.get', { mailboxId })
  const chats = useQueryEntry('chats.ofMailbox', { mailboxId })
  const thread = useQueryEntry('chats.thread', { mailboxId, threadId, limit }, { keepPrevious: true })
  useActions({ 'go-back': { run: goBack } })

  const detail = useHeld(thread.data, threadId)
  const state = chatStateOf([{ data: detail, error: thread.error }, mailbox], [chats])
  const readAgain = (): void => {
    for (const query of [thread, mailbox, chats]) if (query.isError) void query.refetch()
  }
  if (state.type === 'missing' || state.type === 'failed') {
    const isMissing = state.type === 'missing'
    return (
      <main className="chat-missing" data-test="chat-panel" data-state={state.type}>
        <EmptyState
          motif={{ icon: isMissing ? 'circle-help' : 'circle-x' }}
          title={isMissing ? 'This chat is not here any more' : 'The chat could not be read'}
          actions={
            <>
              {!isMissing && <Button label="Try again" icon="retry" onClick={readAgain} />}
              <Button label="Back" icon="arrow-left" onClick={goBack} />
            </>
          }
        >
          {state.type === 'failed' ? state.problem : 'It was removed with its issue.'}
        </EmptyState>
      </main>
    )
  }
  if (state.type !== 'shown' || !detail || !mailbox.data || !chats.data) {
    return (
      <main className="chat-missing" data-test="chat-panel" data-state="loading">
        <SkeletonRows count={8} height={56} />
      </main>
    )
  }
  return (
    <Chat
      detail={detail}
      mailbox={mailbox.data}
      chats={chats.data}
      notice={state.problem !== null && <OutOfDate problem={state.problem} onReadAgain={readAgain} />}
      unpushed={unpushed}
      onEarlier={() => setLimit(limit + messagesAtOnce)}
      onAll={() => setLimit(mostMessages)}
    />
  )
}

/** The last that was read of a chat: an answer with more of it that fails takes nothing away. */
function useHeld(data: ChatThreadDetail | undefined, threadId: ChatThreadId): ChatThreadDetail | undefined {
  const [held, setHeld] = useState(data)
  if (data !== undefined && data !== held) setHeld(data)
  return data ?? (held?.chat.threadId === threadId ? held : undefined)
}

function OutOfDate({ problem, onReadAgain }: { readonly problem: string; readonly onReadAgain: () => void }) {
  return (
    <Notice
      tone="warn"
      icon="warning"
      title="The chat may be out of date."
      test="chat-out-of-date"
      actions={<Button size="sm" label="Try again" onClick={onReadAgain} />}
    >
      {problem}
    </Notice>
  )
}

interface ChatProps {
  readonly detail: ChatThreadDetail
  readonly mailbox: MailboxDetail
  readonly chats: ChatsOfMailbox
  /** Why it may be out of date. */
  readonly notice: ReactNode
  readonly unpushed: ChatScreenProps['unpushed']
  readonly onEarlier: () => void
  /** Reads all that was said: what is looked for may be anywhere. */
  readonly onAll: () => void
}

function Chat({ detail, mailbox, chats, notice, unpushed, onEarlier, onAll }: ChatProps) {
  const { chat } = detail
  const turns = useTurns(detail)
  const opening = useOpening(mailbox.id, chat.threadId)
  useSeen(mailbox)
  const [isRenaming, setRenaming] = useState(false)
  const [search, setSearch] = useState<string | null>(null)
  const startSearch = (): void => {
    setSearch(search ?? '')
    onAll()
  }
  const exportChat = async (): Promise<void> => {
    const file = await engine.query('chats.export', { threadId: chat.threadId }).catch(() => null)
    if (file === null)
      showToast({ title: 'The chat was not exported', description: 'The engine did not answer.' })
    else saveText(file.fileName, file.markdown)
  }
  const newChat = (): void => opening.open(chat.runId, true)
  const terminal = terminalOf(detail)
  const reference = mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind)
  useActions({
    'new-chat': { run: newChat },
    'search-transcript': { run: startSearch, label: 'Search in this chat' },
    'show-chat-or-terminal': {
      run: terminal.open,
      label: 'Show the terminal',
      disabledReason: terminal.reason,
    },
    'rename-chat': { run: () => setRenaming(true) },
    ...(detail.messageCount > 0 && { 'export-chat': { run: () => void exportChat() } }),
    ...(turns.live !== null && { 'stop-turn': { run: turns.stop } }),
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    // inside a dialog or a menu it is the key of that
    if (event.key !== 'Escape' || turns.live === null) return
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    if (
      event.target instanceof Element &&
      event.target.closest('[role=dialog],[role=alertdialog],[role=menu]')
    )
      return
    event.preventDefault()
    turns.stop()
  }
  const list = {
    mailbox,
    reference,
    chats,
    chat,
    isBusy: opening.isBusy,
    onMemory: (runId: RunId) => opening.open(runId, false),
    onChat: (threadId: ChatThreadId) => replaceView({ screen: 'chat', mailboxId: mailbox.id, threadId }),
    onNewChat: newChat,
  } as const
  return (
    <>
      <ThreadList {...list} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc, wherever the focus is */}
      <main
        className="chat-panel"
        data-test="chat-panel"
        data-state={turns.live === null ? 'ready' : 'working'}
        data-value={chat.threadId}
        data-pane="chat"
        aria-label={`Chat ${chat.title}`}
        onKeyDown={onKeyDown}
      >
        <ChatHeader
          detail={detail}
          list={list}
          terminal={terminal}
          onSearch={startSearch}
          onRename={() => setRenaming(true)}
          onExport={() => void exportChat()}
        />
        {isRenaming && <RenameDialog chat={chat} onClose={() => setRenaming(false)} />}
        <ResumeBanner detail={detail} />
        {notice}
        {unpushed(mailbox, reference)}
        <Messages
          detail={detail}
          now={mailbox.now}
          turns={turns}
          search={search}
          onSearch={setSearch}
          letterOf={(adapter, nativeId) => letterOf(chats, adapter, nativeId)}
          onEarlier={onEarlier}
        />
        <Composer detail={detail} turns={turns} />
      </main>
    </>
  )
}

/** Of the newest turn that used the memory, so that the terminal is on the same. */
function terminalOf({ chat, turns }: ChatThreadDetail) {
  const { mailboxId, nativeSessionId } = chat
  const used = turns.findLast(({ row }) => row.state === 'ended' && row.nativeSessionId === nativeSessionId)
  const runId = used?.row.runId ?? chat.runId
  return {
    reason: nativeSessionId === null ? 'This chat has no memory to open in a terminal.' : null,
    open: () => openView({ screen: 'terminal', mailboxId, runId, isOpen: false }),
  }
}

/** What is said under the eyes of a person is not unread. */
function useSeen({ id: mailboxId, now }: MailboxDetail): void {
  const kind = now?.kind ?? null
  useEffect(() => {
    if (!document.hidden) void engine.command('mailboxes.markSeen', { mailboxId })
  }, [mailboxId, kind])
}

/** Opens another chat of the issue in the place of this one. */
function useOpening(mailboxId: MailboxId, threadId: ChatThreadId) {
  const command = useCommand('chats.open')
  const open = async (runId: RunId, isFresh: boolean): Promise<void> => {
    const opened = await command.run({ runId, isFresh })
    if (opened.ok)
      replaceViewFrom(
        { screen: 'chat', mailboxId, threadId },
        { screen: 'chat', mailboxId, threadId: opened.value.threadId },
      )
    else showToast({ title: 'The chat was not opened', description: chatRefusal(opened.error, Date.now()) })
  }
  return {
    isBusy: command.isBusy,
    open: (runId: RunId, isFresh: boolean) => void open(runId, isFresh),
  }
}

function letterOf({ memories }: ChatsOfMailbox, adapter: AdapterId, nativeId: string | null): string | null {
  if (nativeId === null) return null
  const key = memoryKey(adapter, nativeId)
  const index = memories.findIndex((memory) => memoryKey(memory.adapter, memory.nativeSessionId) === key)
  return index === -1 ? null : memoryLetter(index)
}
