import type { MailboxId } from '@shared/model/ids'
import { terminalLimitNote } from '../../lib/terminal-limit'
import { useQueryEntry } from '../../lib/use-query-entry'

/** How long a terminal of this mailbox may stay open, said before there is one. */
export function LimitNote({ mailboxId }: { readonly mailboxId: MailboxId }) {
  const { data: mailbox } = useQueryEntry('mailboxes.get', { mailboxId })
  if (mailbox === undefined) return null
  return (
    <p className="mt-3 text-11 text-ink-2" data-test="terminal-limit">
      {terminalLimitNote(mailbox.terminalLimitMs)}
    </p>
  )
}
