import { useRef, useState } from 'react'
import type { OpenedChat } from '@shared/contract/chats'
import { Dialog, DialogAnswers } from '../../components/dialog'
import { useCommand } from '../../lib/use-command'

const longestTitle = 120

/** Gives a chat another name. */
export function RenameDialog({ chat, onClose }: { readonly chat: OpenedChat; readonly onClose: () => void }) {
  const [title, setTitle] = useState(chat.title)
  const command = useCommand('chats.rename')
  const input = useRef<HTMLInputElement>(null)
  const isEmpty = title.trim() === ''
  const rename = async (): Promise<void> => {
    if (isEmpty) return
    const renamed = await command.run({ threadId: chat.threadId, title })
    if (renamed.ok) onClose()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Rename this chat"
      className="w-[420px]"
      initialFocus={input}
      test="rename-chat-dialog"
      footer={
        <DialogAnswers
          confirmLabel="Rename"
          disabledReason={isEmpty ? 'A chat has a name.' : null}
          isBusy={command.isBusy}
          confirmTest="confirm-rename-chat"
          onCancel={onClose}
          onConfirm={() => void rename()}
        />
      }
    >
      <input
        ref={input}
        className="input mt-3 w-full"
        aria-label="Name of the chat"
        value={title}
        maxLength={longestTitle}
        data-test="chat-name"
        onChange={(event) => setTitle(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && void rename()}
      />
      {command.error !== null && (
        <p className="mt-2 text-12 text-bad" role="alert">
          {'message' in command.error ? command.error.message : 'It was not renamed. Diagnostics says more.'}
        </p>
      )}
    </Dialog>
  )
}
