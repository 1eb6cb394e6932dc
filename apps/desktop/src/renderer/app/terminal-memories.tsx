import type { MailboxDetail } from '@shared/contract/mailboxes'
import { mailboxReference } from '@shared/format/references'
import type { RunId } from '@shared/model/ids'
import { ThreadList } from '../features/chat/thread-list'
import type { TerminalMemory } from '../features/terminal/terminal-screen'
import { chatRefusal } from '../lib/chat-refusal'
import { useActions } from '../lib/keyboard/actions'
import { openView, replaceView } from '../lib/navigation/store'
import { showToast } from '../lib/toasts'
import { useCommand } from '../lib/use-command'
import { useQueryEntry } from '../lib/use-query-entry'

/** The memories and chats of an issue beside a terminal: another memory is opened in one, a chat as a chat. */
export function TerminalMemories({
  mailbox,
  memory,
}: {
  readonly mailbox: MailboxDetail
  readonly memory: TerminalMemory
}) {
  const mailboxId = mailbox.id
  const { data: chats } = useQueryEntry('chats.ofMailbox', { mailboxId })
  const command = useCommand('chats.open')
  const newChat = async (): Promise<void> => {
    const opened = await command.run({ runId: memory.runId, isFresh: true })
    if (opened.ok) openView({ screen: 'chat', mailboxId, threadId: opened.value.threadId })
    else showToast({ title: 'The chat was not opened', description: chatRefusal(opened.error, Date.now()) })
  }
  useActions({ 'new-chat': { run: () => void newChat() } })
  if (chats === undefined) return <aside className="thread-list" />
  return (
    <ThreadList
      mailbox={mailbox}
      reference={mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind)}
      chats={chats}
      chat={{ ...memory, threadId: null }}
      currentWords={currentWords(mailbox, memory)}
      isBusy={command.isBusy}
      onMemory={(runId: RunId) => replaceView({ screen: 'terminal', mailboxId, runId, isOpen: false })}
      onChat={(threadId) => openView({ screen: 'chat', mailboxId, threadId })}
      onNewChat={() => void newChat()}
    />
  )
}

function currentWords({ now }: MailboxDetail, { isOpen }: TerminalMemory): string {
  if (isOpen) return 'In use by this terminal'
  return now?.kind === 'live' ? `In use by run ${now.runId}` : 'Can be continued'
}
