import { Suspense } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { counted } from '@shared/format'
import { Button } from '../components/button'
import { Icon } from '../components/icon'
import { DiscardPushDialog } from '../features/mailboxes/discard-push-dialog'
import { PushButtons } from '../features/mailboxes/push-buttons'
import { usePendingPush } from '../features/mailboxes/use-pending-push'
import { PushDialog } from './screens'

/** Commits of the issue that wait for a person; absent while none do. */
export function UnpushedStrip({
  mailbox,
  reference,
}: {
  readonly mailbox: MailboxDetail
  readonly reference: string
}) {
  const pending = usePendingPush(mailbox)
  if (pending === null) return null
  return (
    <section className="now-strip" data-test="unpushed-strip" data-tone="warn" aria-label="Not pushed">
      <Icon name="commit" size={15} className="text-warn" />
      <b className="text-warn">{`${counted(pending.push.commits, 'commit')} not pushed`}</b>
      <span className="cut grow">Runs of the issue wait until you decide.</span>
      <Button size="sm" icon="eye" label="Show diff" test="show-push" onClick={() => pending.open('diff')} />
      <PushButtons answers={pending} size="sm" />
      {pending.dialog === 'diff' && (
        <Suspense fallback={null}>
          <PushDialog reference={reference} answers={pending} />
        </Suspense>
      )}
      {pending.dialog === 'discard' && <DiscardPushDialog reference={reference} answers={pending} />}
    </section>
  )
}
