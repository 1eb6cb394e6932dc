import type { Clock } from '../../ports/clock'
import type { Logger } from '../../ports/logger'
import type { NotificationKind, NotificationSubject, Notifier } from '../../ports/notifications'
import type { NotificationStore } from '../../ports/stores'
import { aside } from '../aside'
import type { ChangeFeed } from '../status/change-feed'
import { groupedText, type NotificationText } from './notification-texts'

export interface NotificationService {
  /** Stores the message and shows it, or holds it back for one grouped message. */
  tell(text: NotificationText, about: Partial<NotificationSubject>): void
  close(): void
}

/** More than this many within the window become one. */
const shownAtOnce = 3
const windowMs = 60_000

const aboutNothing: NotificationSubject = { mailboxId: null, runId: null, setting: null }

interface Parts {
  readonly store: NotificationStore
  readonly notifier: Notifier
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  readonly changes: ChangeFeed
}

export function createNotificationService(parts: Parts): NotificationService {
  const { store, notifier, clock, changes } = parts
  const closing = new AbortController()
  let shownAt: number[] = []
  let held: NotificationKind[] = []

  const showHeld = async (): Promise<void> => {
    await clock.sleep(windowMs, closing.signal)
    if (closing.signal.aborted) return
    const text = groupedText(held)
    held = []
    notifier.show(store.add({ ...aboutNothing, ...text }, clock.now()))
    changes.publish({ type: 'notifications' })
  }

  return {
    tell(text, about) {
      const stored = store.add({ ...aboutNothing, ...text, ...about }, clock.now())
      // A clock that is set back must not make the minute long.
      const now = clock.monotonic()
      changes.publish({ type: 'notifications' })
      shownAt = shownAt.filter((at) => now - at < windowMs)
      if (held.length === 0 && shownAt.length < shownAtOnce) {
        shownAt.push(now)
        notifier.show(stored)
        return
      }
      held.push(text.kind)
      if (held.length === 1) aside(parts.logger, 'telling several things at once', showHeld())
    },
    close: () => closing.abort(),
  }
}
