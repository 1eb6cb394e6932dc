import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { TimelineRow } from '@shared/contract/sessions'
import { useActions } from '../../lib/keyboard/actions'
import { openView } from '../../lib/navigation/store'
import { canAttach, terminalReason } from './dock-state'

/** Offers the agent's own screen in this window. */
export function useWindowTerminal(row: TimelineRow, mailbox: MailboxDetail): void {
  const { runId } = row
  const isOpen = row.phase === 'terminal' && row.state !== 'ended'
  useActions(
    canAttach(row)
      ? {
          'resume-in-window': {
            run: () => openView({ screen: 'terminal', mailboxId: mailbox.id, runId, isOpen }),
            label: `Resume run ${runId} in a terminal of this window`,
            disabledReason: terminalReason(row, mailbox),
          },
        }
      : {},
  )
}
