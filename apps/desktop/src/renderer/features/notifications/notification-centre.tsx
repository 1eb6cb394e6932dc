import { Popover } from '@base-ui/react/popover'
import type { OutputOf } from '@shared/contract/define'
import type { EntryOf } from '../../lib/engine-client'
import { isoWithOffset } from '@shared/format/times'
import { EmptyState } from '../../components/empty-state'
import { Icon } from '../../components/icon'
import { useMinute } from '../../lib/clock'
import { openHome, openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { setNotificationsOpen, useOverlays } from '../../lib/overlays'
import { formatAgo } from '../../lib/time-format'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry, useStatusPart } from '../../lib/use-query-entry'
import { notificationLook } from './notification-looks'

type Notification = OutputOf<EntryOf<'app.notifications'>>[number]

/** The bell: says how many messages were not read, and opens them. */
export function NotificationBell() {
  const isOpen = useOverlays((state) => state.isNotificationsOpen)
  const unread = useStatusPart((status) => status.unreadNotifications) ?? 0
  return (
    <Popover.Root open={isOpen} onOpenChange={setNotificationsOpen}>
      <Popover.Trigger
        className="btn btn-quiet btn-icon relative"
        data-test="open-notifications"
        data-value={unread}
        aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
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
          aria-label="Settings"
          onClick={() => {
            setNotificationsOpen(false)
            openView(settingsView)
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
        <ul className="min-h-0 overflow-y-auto">
          {rows?.map((row) => (
            <NotificationItem key={row.id} row={row} />
          ))}
        </ul>
      )}
    </>
  )
}

function NotificationItem({ row }: { readonly row: Notification }) {
  const now = useMinute()
  const { icon, colour } = notificationLook(row.kind)
  return (
    <li>
      <button
        type="button"
        className="notification-row"
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
          {formatAgo(row.createdAt, now)}
        </span>
        {!row.isRead && <span className="sr">Unread</span>}
      </button>
    </li>
  )
}

/** Exactly what the message is about: its run, else its mailbox, else its setting, else what its kind is about. */
function open(row: Notification): void {
  setNotificationsOpen(false)
  if (row.runId !== null) openView({ screen: 'run', runId: row.runId })
  else if (row.mailboxId !== null) openHome({ filter: 'all-open', projectId: null, mailboxId: row.mailboxId })
  else if (row.setting !== null) openView({ screen: 'settings', ...row.setting })
  else if (row.kind === 'login-expiring') openView({ screen: 'agents' })
}
