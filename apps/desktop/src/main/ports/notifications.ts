import type { MailboxId, RunId } from '@shared/model/ids'
import type { SettingAddress } from '@shared/model/settings'

export type NotificationKind =
  | 'run-finished'
  | 'run-finished-fallback'
  | 'needs-you'
  | 'blocked'
  | 'interrupted'
  | 'login-expiring'
  | 'budget'
  | 'grouped'

/**
 * What a message is about, and where a click on it leads: at most one of them, or a mailbox with its run. A login that
 * ends is none of them, and leads to the agents.
 */
export type NotificationSubject = Pick<NotificationMessage, 'mailboxId' | 'runId' | 'setting'>

export interface NotificationMessage {
  /** Row id in `notifications`. */
  readonly id: number
  readonly kind: NotificationKind
  readonly title: string
  readonly body: string
  readonly mailboxId: MailboxId | null
  readonly runId: RunId | null
  readonly setting: SettingAddress | null
}

/** Shows a message on the desktop; headless owners have one that does nothing. */
export interface Notifier {
  show(message: NotificationMessage): void
}
