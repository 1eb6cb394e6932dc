import type { NotificationMessage } from '@main/ports/notifications'
import { linkTo } from './deep-links'

export interface NotificationButton {
  readonly text: string
  readonly link: string
}

/** The first does what a click does. Only macOS and Windows show them. */
export function notificationButtons(message: NotificationMessage): readonly NotificationButton[] {
  const first = firstWords[message.kind]
  const run = message.kind === 'run-finished-fallback' ? message.runId : null
  return [
    ...(first === undefined ? [] : [{ text: first, link: linkTo(message) }]),
    ...(run === null ? [] : [{ text: 'Open run', link: linkTo({ runId: run }) }]),
  ]
}

const firstWords: Readonly<Partial<Record<NotificationMessage['kind'], string>>> = {
  'run-finished': 'Open run',
  'run-finished-fallback': 'See why',
  blocked: 'Open run',
  'login-expiring': 'Renew',
  budget: 'Show limits',
  grouped: 'Show all',
}
