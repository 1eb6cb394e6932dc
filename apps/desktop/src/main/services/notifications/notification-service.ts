import { notifyKey, type NotifyKey, type SettingValues } from '@shared/model/settings'
import type { Clock } from '../../ports/clock'
import type { DesktopServices } from '../../ports/desktop-services'
import type { Logger } from '../../ports/logger'
import type { NotificationKind, NotificationSubject, Notifier } from '../../ports/notifications'
import type { NotificationStore, StoredNotification } from '../../ports/stores'
import { aside } from '../aside'
import type { ChangeFeed } from '../status/change-feed'
import { groupedText } from './grouped-text'
import type { NotificationText } from './notification-texts'
import { quietHoursAt } from './quiet-hours'

export interface NotificationService {
  /** Stores the message and shows it, or holds it back for one grouped message. */
  tell(text: NotificationText, about: Partial<NotificationSubject>): void
  /** Takes up what an engine before this one held back, and looks whether the desktop shows messages at all. */
  begin(): void
  /** Why messages only wait in the notification centre just now; null: they are shown. */
  silence(): Silence | null
  close(): void
}

export type Silence =
  | { readonly reason: 'quiet_hours'; readonly until: number }
  /** The desktop has nothing that shows them. */
  | { readonly reason: 'no_service' }

/** More than this many within the window become one. */
const shownAtOnce = 3
const windowMs = 60_000
/** As many as the notification centre could show. */
const lookedBackAt = 200

const aboutNothing: NotificationSubject = { mailboxId: null, runId: null, setting: null }

interface Parts {
  readonly store: NotificationStore
  readonly notifier: Notifier
  readonly desktop: Pick<DesktopServices, 'showsNotifications'>
  readonly rules: () => Pick<SettingValues, NotifyKey | 'QUIET_HOURS'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  readonly changes: ChangeFeed
}

export function createNotificationService(parts: Parts): NotificationService {
  const { store, notifier, desktop, clock, changes } = parts
  const closing = new AbortController()
  let shownAt: number[] = []
  let held: StoredNotification[] = []
  let hasService = true
  /** Aborted when settings change. */
  let changed = new AbortController()
  const unsubscribe = changes.subscribe((events) => {
    if (events.some(({ type }) => type === 'settings')) changed.abort()
  })

  const quietHours = () => quietHoursAt(parts.rules().QUIET_HOURS, clock.now())
  const isWanted = (kind: NotificationKind): boolean => kind === 'grouped' || parts.rules()[notifyKey(kind)]

  const look = async (): Promise<void> => {
    const found = await desktop.showsNotifications()
    if (found === hasService || closing.signal.aborted) return
    hasService = found
    changes.publish({ type: 'notifications' })
  }
  const lookAside = (): void => aside(parts.logger, 'asking for the notification service', look())
  const show = (message: StoredNotification): void => {
    notifier.show(message)
    lookAside()
  }

  const hold = (messages: readonly StoredNotification[]): void => {
    const isFirst = held.length === 0
    held.push(...messages)
    if (isFirst && held.length > 0) aside(parts.logger, 'telling several things at once', showHeld())
  }
  /** Looks again each minute, since the computer can sleep through the end of quiet hours, and when they change. */
  const showHeld = async (): Promise<void> => {
    do {
      changed = new AbortController()
      const ends = quietHours() === null ? [closing.signal] : [closing.signal, changed.signal]
      await clock.sleep(windowMs, AbortSignal.any(ends))
      if (closing.signal.aborted) return
    } while (quietHours() !== null)
    // Nothing waits any more, also where the store fails now: what is held keeps all that follows from being shown.
    const waited = held
    held = []
    const isUnread = new Set(unreadIds(store))
    const told = waited.filter(({ id, kind }) => isUnread.has(id) && isWanted(kind))
    const [first] = told
    if (first === undefined) return
    if (told.length === 1) return show(first)
    show(store.add({ ...aboutNothing, ...groupedText(told) }, clock.now()))
    changes.publish({ type: 'notifications' })
  }

  return {
    tell(text, about) {
      const stored = store.add({ ...aboutNothing, ...text, ...about }, clock.now())
      changes.publish({ type: 'notifications' })
      if (!isWanted(text.kind)) return
      // A clock that is set back must not make the minute long.
      const now = clock.monotonic()
      shownAt = shownAt.filter((at) => now - at < windowMs)
      if (quietHours() !== null || held.length > 0 || shownAt.length >= shownAtOnce) return hold([stored])
      shownAt.push(now)
      show(stored)
    },
    begin() {
      lookAside()
      const quiet = quietHours()
      if (quiet === null) return
      hold(
        store
          .list(lookedBackAt)
          .filter(
            ({ createdAt, readAt, kind }) => createdAt >= quiet.from && readAt === null && kind !== 'grouped',
          )
          .toReversed(),
      )
    },
    silence() {
      if (!hasService) return { reason: 'no_service' }
      const quiet = quietHours()
      return quiet === null ? null : { reason: 'quiet_hours', until: quiet.until }
    },
    close() {
      unsubscribe()
      closing.abort()
    },
  }
}

const unreadIds = (store: NotificationStore): readonly number[] =>
  store
    .list(lookedBackAt)
    .filter(({ readAt }) => readAt === null)
    .map(({ id }) => id)
