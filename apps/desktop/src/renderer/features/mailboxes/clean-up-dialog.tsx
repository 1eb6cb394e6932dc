import { useState } from 'react'
import { workText, type WorkInTheWay } from '@shared/cleanup-words'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { mailboxReference } from '@shared/format/references'
import { ConfirmDialog } from '../../components/dialog'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { cleanUpErrorText } from './strings'

export interface CleanUpDialogProps {
  readonly mailbox: MailboxDetail
  readonly onClose: () => void
}

/** Asks before a mailbox is cleaned up, and again where work lies nowhere else. */
export function CleanUpDialog({ mailbox, onClose }: CleanUpDialogProps) {
  const [work, setWork] = useState<WorkInTheWay | null>(null)
  const cleanUp = useCommand('mailboxes.cleanUp')
  const reference = mailboxReference(mailbox.kind, mailbox.iid, mailbox.forgeKind)

  const confirm = async (): Promise<void> => {
    const result = await cleanUp.run({ mailboxId: mailbox.id, force: work !== null })
    if (!result.ok && result.error.type === 'has_work') return setWork(result.error)
    onClose()
    if (!result.ok)
      showToast({ title: `${reference} was not cleaned up`, description: cleanUpErrorText(result.error) })
    else if (!result.value.memoryRemoved)
      showToast({
        title: `${reference} is cleaned up`,
        description: 'Its memory is left alone while sessions are switched off.',
      })
  }
  return (
    <ConfirmDialog
      isOpen
      title={work === null ? `Clean up ${reference}?` : `${reference} has work that lies nowhere else`}
      text={
        work === null
          ? 'Its memory, workspace and repository on this computer are removed. The runs stay to be read; the next run starts fresh.'
          : `${workText(work)} Nothing was removed yet. What is removed now cannot be brought back.`
      }
      cancelLabel={work === null ? 'Cancel' : 'Keep it'}
      confirmLabel={work === null ? 'Clean up' : 'Remove it too'}
      isBusy={cleanUp.isBusy}
      onCancel={onClose}
      onConfirm={() => void confirm()}
      test="clean-up-dialog"
      confirmTest="confirm-clean-up"
    />
  )
}
