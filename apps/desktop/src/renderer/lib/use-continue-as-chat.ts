import type { MailboxId, RunId } from '@shared/model/ids'
import { openView } from './navigation/store'
import { showToast } from './toasts'
import { useCommand } from './use-command'
import { useQueryEntry } from './use-query-entry'
import { chatRefusal } from './chat-refusal'

export interface ContinueAsChat {
  /** Why it cannot be continued now, in words; null: it can. */
  readonly reason: string | null
  /** The run is a turn of a chat, which is opened. */
  readonly isTurn: boolean
  readonly isBusy: boolean
  readonly run: () => void
}

/** Goes on with what the agent of a run remembers; null until it is known whether that can be done. */
export function useContinueAsChat(mailboxId: MailboxId, runId: RunId): ContinueAsChat | null {
  const { data } = useQueryEntry('chats.canChat', { mailboxId, runId })
  const command = useCommand('chats.open')
  if (data === undefined) return null
  const { threadId } = data
  const open = async (): Promise<void> => {
    const opened = await command.run({ runId })
    if (opened.ok) openView({ screen: 'chat', mailboxId, threadId: opened.value.threadId })
    else
      showToast({
        title: `Run ${runId} was not continued`,
        description: chatRefusal(opened.error, Date.now()),
      })
  }
  return {
    reason: data.reason,
    isTurn: threadId !== null,
    isBusy: command.isBusy,
    run: () => (threadId === null ? void open() : openView({ screen: 'chat', mailboxId, threadId })),
  }
}
