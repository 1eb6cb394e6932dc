import type { NotificationMessage } from '@main/ports/notifications'
import type { RunId } from '@shared/model/ids'
import { linkTo } from './deep-links'

export interface NotificationButton {
  readonly text: string
  readonly link: string
}

/** The first does what a click does. Only macOS and Windows show them. */
export function notificationButtons(message: NotificationMessage): readonly NotificationButton[] {
  const first = firstWords[message.kind]
  return [
    ...(first === undefined ? [] : [{ text: first, link: linkTo(message) }]),
    ...(message.runId === null ? [] : runButtons(message.kind, message.runId)),
  ]
}

function runButtons(kind: NotificationMessage['kind'], runId: RunId): readonly NotificationButton[] {
  const run = linkTo({ runId })
  const chat = { text: 'Continue as chat', link: `${run}/chat` }
  switch (kind) {
    case 'run-finished':
    case 'blocked':
      return [chat]
    case 'run-finished-fallback':
      return [{ text: 'Open run', link: run }, chat]
    default:
      return []
  }
}

const firstWords: Readonly<Partial<Record<NotificationMessage['kind'], string>>> = {
  'run-finished': 'Open run',
  'run-finished-fallback': 'See why',
  blocked: 'Open run',
  'login-expiring': 'Renew',
  budget: 'Show limits',
  grouped: 'Show all',
}
