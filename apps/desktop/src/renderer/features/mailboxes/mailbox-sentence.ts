import type { MailboxRow } from '@shared/contract/mailboxes'
import { spokenCost, spokenDuration } from '@shared/format/spoken'
import type { MailboxState } from './mailbox-state'

/** `#128`, or `!342` for a merge request. */
export const mailboxReferenceOf = (row: Pick<MailboxRow, 'kind' | 'iid'>): string =>
  `${row.kind === 'issue' ? '#' : '!'}${row.iid}`

/** What a screen reader says for a mailbox, as whole sentences. */
export function mailboxSentence(row: MailboxRow, state: MailboxState, now: number): string {
  const parts = [
    `${row.kind === 'issue' ? 'Issue' : 'Merge request'} ${row.iid} of ${row.projectPath}`,
    row.title.replace(/[.]$/, ''),
    state.text.replace(' · ', ', '),
    row.latestRun === null ? null : sentence(spokenCost(row.costUsd)),
    `Changed ${age(now - row.updatedAt)}`,
    row.isUnread ? 'Unread' : null,
  ]
  return parts
    .filter((part) => part !== null)
    .map((part) => (/[?!]$/.test(part) ? part : `${part}.`))
    .join(' ')
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function age(ms: number): string {
  if (ms < 60_000) return 'now'
  const unit = ms < 3_600_000 ? 60_000 : ms < 86_400_000 ? 3_600_000 : 86_400_000
  return `${spokenDuration(Math.floor(ms / unit) * unit)} ago`
}
