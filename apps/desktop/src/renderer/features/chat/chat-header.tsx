import type { ChatThreadDetail } from '@shared/contract/chats'
import { counted } from '@shared/format'
import { formatCostSum } from '@shared/format/costs'
import { memoryLetter } from '@shared/timeline/memory-letters'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu'
import { keysOf } from '../../lib/keyboard/key-map'
import { goBack } from '../../lib/navigation/store'
import type { ThreadListProps } from './thread-list'

export interface ChatHeaderProps {
  readonly detail: ChatThreadDetail
  /** In small windows the list of memories and chats is a menu here. */
  readonly list: ThreadListProps
  /** The way to the agent's own screen on the memory of this chat. */
  readonly terminal: { readonly reason: string | null; readonly open: () => void }
  readonly onSearch: () => void
  readonly onRename: () => void
  readonly onExport: () => void
}

/** Which chat this is, with whom, and what it has cost. */
export function ChatHeader({ detail, list, terminal, onSearch, onRename, onExport }: ChatHeaderProps) {
  const { chat, turns, turnCount, costUsd, costUnknown } = detail
  const model = turns.findLast(({ row }) => row.model !== null)?.row.model ?? null
  return (
    <header className="chat-head">
      <span className="narrow-only">
        <Button size="sm" variant="quiet" icon="arrow-left" label="Back" onClick={goBack} />
        <ThreadMenu {...list} />
      </span>
      <span className="terminal-switch">
        <span className="terminal-here">
          <Icon name="message" size={14} />
          Chat
        </span>
        <Button
          size="sm"
          variant="quiet"
          icon="terminal"
          label="Terminal"
          disabledReason={terminal.reason}
          test="show-terminal"
          onClick={terminal.open}
        />
      </span>
      <h1 className="cut min-w-0 text-13 font-semibold" data-test="chat-title" title={chat.title}>
        {chat.title}
      </h1>
      <span className="cut text-12 text-ink-3">
        {[chat.adapter, model].filter((part) => part !== null).join(' · ')}
      </span>
      <span className="grow" />
      <span className="flex-none text-12 text-ink-2">
        {counted(turnCount, 'turn')}
        {turnCount > 0 && (
          <>
            {' · '}
            <b className="font-medium text-ink" data-test="chat-cost" data-value={costUsd ?? ''}>
              {formatCostSum(costUsd, costUnknown)}
            </b>
          </>
        )}
      </span>
      <Button
        size="sm"
        variant="quiet"
        isIconOnly
        icon="search"
        label="Search in this chat"
        keys={keysOf('search-transcript')}
        test="search-chat"
        onClick={onSearch}
      />
      <Menu trigger={<Button size="sm" icon="ellipsis" isIconOnly label="More actions" test="chat-more" />}>
        <MenuItem label="Rename…" icon="pencil" onSelect={onRename} test="rename-chat" />
        <MenuItem
          label="Export as Markdown…"
          icon="upload"
          disabledReason={detail.messageCount === 0 ? 'nothing was said yet' : null}
          onSelect={onExport}
          test="export-chat"
        />
      </Menu>
    </header>
  )
}

function ThreadMenu({ chats, chat, onMemory, onChat, onNewChat }: ThreadListProps) {
  return (
    <Menu
      align="start"
      trigger={<Button size="sm" icon="list" label="Memories" spokenLabel="Memories and chats" />}
    >
      {chats.memories.map((memory, index) => (
        <MenuItem
          key={`${memory.adapter}:${memory.nativeSessionId}`}
          label={`Memory ${memoryLetter(index)}, ${memory.adapter}`}
          icon="link"
          disabledReason={memory.state === 'removed' ? 'removed' : null}
          onSelect={() => onMemory(memory.runId)}
        />
      ))}
      {chats.chats.length > 0 && <MenuSeparator />}
      {chats.chats
        .filter(({ threadId }) => threadId !== chat.threadId)
        .map((row) => (
          <MenuItem
            key={row.threadId}
            label={row.title}
            icon="message"
            onSelect={() => onChat(row.threadId)}
          />
        ))}
      <MenuSeparator />
      <MenuItem label="New chat, fresh memory" icon="plus" keys={keysOf('new-chat')} onSelect={onNewChat} />
    </Menu>
  )
}
