import { Notification } from 'electron'
import type { NotificationMessage, Notifier } from '@main/ports/notifications'
import { linkTo } from './deep-links'
import { notificationButtons } from './notification-buttons'
import { notificationBody } from './notification-text'

export interface DesktopNotifierOptions {
  readonly iconFile: string
  /** A person chose the message, or a button of it. */
  open(link: string, message: NotificationMessage): void
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
      const buttons = notificationButtons(message)
      const notification = new Notification({
        title: message.title,
        body: notificationBody(message.body, process.platform),
        icon: options.iconFile,
        // on Linux the click is all there is: servers show buttons as they please
        ...(process.platform !== 'linux' && {
          actions: buttons.map(({ text }) => ({ type: 'button' as const, text })),
        }),
      })
      notification.on('click', () => {
        forget(message.id)
        options.open(linkTo(message), message)
      })
      notification.on('action', ({ actionIndex }) => {
        const button = buttons[actionIndex]
        if (button !== undefined) options.open(button.link, message)
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
