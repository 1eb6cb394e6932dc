import type { MailboxId, RunId } from '@shared/model/ids'

export type NotificationKind =
  | 'run-finished'
  | 'run-finished-fallback'
  | 'needs-you'
  | 'blocked'
  | 'interrupted'
  | 'budget'
  | 'grouped'

export interface NotificationMessage {
  /** Row id in `notifications`. */
  readonly id: number
  readonly kind: NotificationKind
  readonly title: string
  readonly body: string
  readonly mailboxId: MailboxId | null
  readonly runId: RunId | null
}

/** Shows a message on the desktop; headless owners have one that does nothing. */
export interface Notifier {
  show(message: NotificationMessage): void
}
