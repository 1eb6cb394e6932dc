import { Notification } from 'electron'
import type { NotificationMessage, Notifier } from '@main/ports/notifications'
import { linkTo } from './deep-links'
import { notificationBody } from './notification-text'

export interface DesktopNotifierOptions {
  readonly iconFile: string
  open(link: string): void
  /** A run that the person looks at needs no message; true keeps it to the notification centre. */
  isInFront(message: NotificationMessage): boolean
}

/** Shown ones are kept, since a collected notification loses its click; older ones than these are given up. */
const mostKept = 50

/** The system's notifications; a click opens what the message is about. */
export function createDesktopNotifier(options: DesktopNotifierOptions): Notifier {
  const kept = new Map<number, Notification>()

  const forget = (id: number): void => {
    kept.delete(id)
  }

  return {
    show(message) {
      if (!Notification.isSupported() || options.isInFront(message)) return
      const notification = new Notification({
        title: message.title,
        body: notificationBody(message.body, process.platform),
        icon: options.iconFile,
      })
      notification.on('click', () => {
        forget(message.id)
        options.open(linkTo(message))
      })
      notification.on('close', () => forget(message.id))
      notification.on('failed', () => forget(message.id))
      kept.set(message.id, notification)
      for (const id of kept.keys()) {
        if (kept.size <= mostKept) break
        forget(id)
      }
      notification.show()
    },
  }
}
