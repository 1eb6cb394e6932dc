import type { MailboxId } from '@shared/model/ids'
import type { Mailbox } from '@shared/model/records'
import type { Phase } from '@shared/model/words'
import type { Store } from '../../ports/stores'

/** What a person means who asks for "a run": the work that is next. */
export function nextPhase(store: Store, mailbox: Mailbox): Phase {
  const hasPlan = store.plans.find(mailbox.id) !== null
  switch (mailbox.status) {
    case null:
    case 'functional_analysis':
    case 'technical_analysis':
    case 'waiting_info':
      return 'analysis'
    case 'waiting_validation':
    case 'in_development':
    case 'in_ci':
    case 'in_review':
    case 'done':
      return hasPlan ? 'development' : 'analysis'
    case 'blocked':
      return latestPhase(store, mailbox.id) ?? (hasPlan ? 'development' : 'analysis')
  }
}

/** A terminal or an import says nothing of where the work stands. */
const latestPhase = (store: Store, mailboxId: MailboxId): Phase | null =>
  store.runs
    .listByMailbox(mailboxId, 20, null)
    .map(({ phase }) => phase)
    .find((phase) => phase !== 'chat' && phase !== 'terminal') ?? null
