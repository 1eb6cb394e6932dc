import type { MailboxRow } from '@shared/contract/mailboxes'
import { mailboxReference } from '@shared/format/references'
import { spokenCost, spokenDuration } from '@shared/format/spoken'
import type { MailboxState } from './mailbox-state'

/** `#128`; a merge request as its forge says it: `!342`, `PR 342`. */
export const mailboxReferenceOf = ({
  kind,
  iid,
  forgeKind,
}: Pick<MailboxRow, 'kind' | 'iid' | 'forgeKind'>): string => mailboxReference(kind, iid, forgeKind)

const kindWord = (row: MailboxRow): string =>
  row.kind === 'issue' ? 'Issue' : mailboxReferenceOf(row).startsWith('PR') ? 'Pull request' : 'Merge request'

/** What a screen reader says for a mailbox, as whole sentences. */
export function mailboxSentence(row: MailboxRow, state: MailboxState, now: number): string {
  const parts = [
    `${kindWord(row)} ${row.iid} of ${row.projectPath}`,
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
