import type { MailboxDetail } from '@shared/contract/mailboxes'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'
import { commandErrorText } from './strings'

/** The push of a mailbox that waits for a person, and the consent to it; null when none waits. */
export function usePendingPush({ id, needsYou }: Pick<MailboxDetail, 'id' | 'needsYou'>) {
  const isWaiting = needsYou === 'push_needs_person'
  const { data: push } = useQueryEntry('mailboxes.pendingPush', { mailboxId: id }, { enabled: isWaiting })
  const approve = useCommand('mailboxes.approvePush')
  if (!isWaiting || !push) return null
  /** True once the push is on its way. */
  const approveNow = async (): Promise<boolean> => {
    const result = await approve.run({ mailboxId: id, headSha: push.headSha })
    if (!result.ok) showToast({ title: 'Nothing was pushed', description: commandErrorText(result.error) })
    return result.ok
  }
  return { push, approveNow, isApproving: approve.isBusy }
}
