import { useState } from 'react'
import type { MailboxDetail, PendingPush } from '@shared/contract/mailboxes'
import { counted } from '@shared/format'
import { useActions } from '../../lib/keyboard/actions'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'
import { commandErrorText } from './strings'

/** A push that waits for a person, and what they may answer. */
export interface PushAnswers {
  readonly push: PendingPush
  /** The commits were made in a chat: the forge knows nothing of them, and no phase hangs on them. */
  readonly isOfChat: boolean
  /** Why nothing can be answered now; null: it can. */
  readonly problem: string | null
  readonly isBusy: boolean
  /** What is open over the mailbox. */
  readonly dialog: 'diff' | 'discard' | null
  readonly open: (dialog: 'diff' | 'discard' | null) => void
  readonly approve: () => void
  /** Keeps the commits aside; the phase that made them is done again. */
  readonly goOnWithout: () => void
  /** After having asked. */
  readonly discard: () => void
}

/** Null when no push of the mailbox waits. */
export function usePendingPush({ id, needsYou }: Pick<MailboxDetail, 'id' | 'needsYou'>): PushAnswers | null {
  const isOfChat = needsYou === 'unpushed_work'
  const isWaiting = isOfChat || needsYou === 'push_needs_person'
  const { data: push } = useQueryEntry('mailboxes.pendingPush', { mailboxId: id }, { enabled: isWaiting })
  const [dialog, open] = useState<PushAnswers['dialog']>(null)
  const approve = useCommand('mailboxes.approvePush')
  const without = useCommand('mailboxes.goOnWithoutPush')
  const discard = useCommand('mailboxes.discardPush')
  const answer = { mailboxId: id, headSha: push?.headSha ?? '' }
  const tellFailure = (title: string, error: Parameters<typeof commandErrorText>[0]): void =>
    showToast({ title, description: commandErrorText(error) })

  const approveNow = async (): Promise<void> => {
    const result = await approve.run(answer)
    if (result.ok) open(null)
    else tellFailure('Nothing was pushed', result.error)
  }
  const goOnNow = async (): Promise<void> => {
    const result = await without.run(answer)
    if (!result.ok) return tellFailure('Nothing was left out', result.error)
    open(null)
    showToast({
      title: `${counted(push?.commits ?? 0, 'commit')} kept aside`,
      description: `Nothing was pushed. The run's screen says where they are: ${result.value.kept.ref}`,
    })
  }
  const discardNow = async (): Promise<void> => {
    const result = await discard.run(answer)
    open(null)
    if (!result.ok) tellFailure('Nothing was discarded', result.error)
  }
  const isThere = isWaiting && push !== undefined && push !== null
  const canAnswer = isThere && push.problem === null
  useActions({
    ...(isThere && { 'show-push': { run: () => open('diff') } }),
    ...(canAnswer && {
      'approve-push': { run: () => void approveNow() },
      'go-on-without-push': { run: () => void goOnNow() },
      'discard-push': { run: () => open('discard') },
    }),
  })
  if (!isThere) return null
  return {
    push,
    isOfChat,
    problem: push.problem,
    isBusy: approve.isBusy || without.isBusy || discard.isBusy,
    dialog,
    open,
    approve: () => void approveNow(),
    goOnWithout: () => void goOnNow(),
    discard: () => void discardNow(),
  }
}
