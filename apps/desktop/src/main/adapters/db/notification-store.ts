import type { Database } from 'better-sqlite3'
import type { NotificationStore, StoredNotification } from '@main/ports/stores'
import { settingAddressSchema } from '@shared/model/settings'
import { existing } from './row-values'

const columns = `id, kind, mailbox_id AS mailboxId, run_id AS runId, title, body,
  setting, created_at AS createdAt, clicked_at AS clickedAt, read_at AS readAt`

type Row = Omit<StoredNotification, 'setting'> & { readonly setting: string | null }

/** Writes `notifications`. */
export function createNotificationStore(db: Database): NotificationStore {
  const add = db.prepare<[object], Row>(
    `INSERT INTO notifications (kind, mailbox_id, run_id, setting, title, body, created_at)
     VALUES (:kind, :mailboxId, :runId, :setting, :title, :body, :at) RETURNING ${columns}`,
  )
  const list = db.prepare<[number], Row>(`SELECT ${columns} FROM notifications ORDER BY id DESC LIMIT ?`)
  const findOfRun = db
    .prepare<[number], number>(
      'SELECT 1 FROM notifications INDEXED BY notifications_by_run WHERE run_id = ? LIMIT 1',
    )
    .pluck()
  const markClicked = db.prepare<[number, number, number]>(
    'UPDATE notifications SET clicked_at = coalesce(clicked_at, ?), read_at = coalesce(read_at, ?) WHERE id = ?',
  )
  const markAllRead = db.prepare<[number]>('UPDATE notifications SET read_at = ? WHERE read_at IS NULL')

  return {
    add: (notification, at) => {
      const setting = notification.setting === null ? null : JSON.stringify(notification.setting)
      return toNotification(existing(add.get({ ...notification, setting, at }), 'notification', 0))
    },
    list: (limit) => list.all(limit).map(toNotification),
    isToldOf: (runId) => findOfRun.get(runId) !== undefined,
    markClicked: (id, at) => {
      markClicked.run(at, at, id)
    },
    markAllRead: (at) => {
      markAllRead.run(at)
    },
  }
}

/** A setting that this app does not have any more leads nowhere. */
function toNotification(row: Row): StoredNotification {
  const setting = row.setting === null ? null : settingAddressSchema.safeParse(JSON.parse(row.setting))
  return { ...row, setting: setting?.data ?? null }
}
