import { Popover } from '@base-ui/react/popover'
import type { OutputOf } from '@shared/contract/define'
import { engine, type EntryOf } from '../../lib/engine-client'
import { formatTime, isoWithOffset } from '@shared/format/times'
import { EmptyState } from '../../components/empty-state'
import { Icon } from '../../components/icon'
import { useMinute } from '../../lib/clock'
import { onRovingKey, rovingButton } from '../../lib/keyboard/roving-buttons'
import { openHome, openView } from '../../lib/navigation/store'
import { setNotificationsOpen, useOverlays } from '../../lib/overlays'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry, useStatusPart } from '../../lib/use-query-entry'
import { notificationLook } from './notification-looks'
import { bellName, silenceWords } from './silence-words'

type Notification = OutputOf<EntryOf<'app.notifications'>>[number]

/** The bell: says how many messages were not read, and opens them. */
export function NotificationBell() {
  const isOpen = useOverlays((state) => state.isNotificationsOpen)
  const unread = useStatusPart((status) => status.unreadNotifications) ?? 0
  const silence = useStatusPart((status) => status.silence) ?? null
  return (
    <Popover.Root open={isOpen} onOpenChange={setNotificationsOpen}>
      <Popover.Trigger
        className="btn btn-quiet btn-icon relative"
        data-test="open-notifications"
        data-value={unread}
        aria-label={bellName(unread, silence)}
        title={silence === null ? undefined : silenceWords(silence)}
      >
        <Icon name="bell" size={16} />
        {unread > 0 && <span className="absolute top-[5px] right-1 size-[7px] rounded-full bg-warn" />}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={6} className="popup-layer">
          <Popover.Popup className="notification-centre" data-test="notification-centre">
            <NotificationList unread={unread} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

const shownAtOnce = 50

function NotificationList({ unread }: { readonly unread: number }) {
  const { data: rows } = useQueryEntry('app.notifications', { limit: shownAtOnce })
  const markRead = useCommand('app.markNotificationsRead')
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-3 py-2.5">
        <Popover.Title className="font-semibold">Notifications</Popover.Title>
        {unread > 0 && <span className="count">{unread} unread</span>}
        <span className="grow" />
        {unread > 0 && (
          <button
            type="button"
            className="link text-12"
            data-test="mark-notifications-read"
            onClick={() => void markRead.run({})}
          >
            Mark all read
          </button>
        )}
        <button
          type="button"
          className="btn btn-quiet btn-sm btn-icon"
          aria-label="Settings of notifications"
          onClick={() => {
            setNotificationsOpen(false)
            openView({ screen: 'settings', scope: 'app', scopeId: 0, key: 'QUIET_HOURS' })
          }}
        >
          <Icon name="settings" size={14} />
        </button>
      </div>
      {rows?.length === 0 ? (
        <EmptyState motif={{ icon: 'bell' }} title="No notifications">
          When a run ends or needs you, it is told here too.
        </EmptyState>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys of the buttons inside
        <ul className="min-h-0 overflow-y-auto" onKeyDown={onRovingKey}>
          {rows?.map((row, index) => (
            <NotificationItem key={row.id} row={row} isTabStop={index === 0} />
          ))}
        </ul>
      )}
      <SilenceNote />
    </>
  )
}

function NotificationItem({ row, isTabStop }: { readonly row: Notification; readonly isTabStop: boolean }) {
  const now = useMinute()
  const { icon, colour } = notificationLook(row.kind)
  return (
    <li>
      <button
        type="button"
        className="notification-row"
        {...rovingButton(isTabStop)}
        data-test="notification"
        data-kind={row.kind}
        data-state={row.isRead ? 'read' : 'unread'}
        onClick={() => open(row)}
      >
        <span className={`pt-0.5 ${colour}`}>
          <Icon name={icon} size={15} />
        </span>
        <span className="min-w-0 grow">
          <span className="cut block text-12 font-medium">{row.title}</span>
          <span className="block text-11 text-ink-2">{row.body}</span>
        </span>
        <span className="flex-none text-11 text-ink-3" title={isoWithOffset(row.createdAt)}>
          {formatTime(row.createdAt, { now })}
        </span>
        {!row.isRead && <span className="sr">Unread</span>}
      </button>
    </li>
  )
}

/** Exactly what the message is about: its run, else its mailbox, else its setting, else what its kind is about. */
function open({ id, kind, runId, mailboxId, setting }: Notification): void {
  void engine.command('app.openedNotification', { id })
  // of several it tells what stands in this list
  if (kind === 'grouped') return
  setNotificationsOpen(false)
  const home = { filter: 'all-open', projectId: null } as const
  if (kind === 'run-finished-fallback' && mailboxId !== null) openHome({ ...home, mailboxId, runId })
  else if (runId !== null) openView({ screen: 'run', runId })
  else if (mailboxId !== null) openHome({ ...home, mailboxId })
  else if (setting !== null) openView({ screen: 'settings', ...setting })
  else if (kind === 'login-expiring') openView({ screen: 'agents' })
  else if (kind === 'interrupted') openHome(home)
}

/** Why the messages only wait here; nothing where the desktop shows them. */
function SilenceNote() {
  const silence = useStatusPart((status) => status.silence) ?? null
  if (silence === null) return null
  return (
    <div
      className="flex items-center gap-1.5 border-t border-line px-3 py-2 text-11 text-ink-2"
      data-test="notifications-wait"
      data-value={silence.reason}
    >
      <Icon name="info" size={13} className="flex-none text-ink-3" />
      {silenceWords(silence)}
    </div>
  )
}
