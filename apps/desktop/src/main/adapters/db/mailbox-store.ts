import type { Database } from 'better-sqlite3'
import type { MailboxId, ProjectId } from '@shared/model/ids'
import type { Mailbox } from '@shared/model/records'
import type { MailboxFilter, MailboxPatch, MailboxStore } from '@main/ports/stores'
import { createMailboxLists } from './mailbox-lists'
import { mailboxColumns, type MailboxRow } from './mailbox-row'
import { createRowPatcher } from './patch-row'
import { existing, fromFlag, selectList } from './row-values'

const columns = selectList(mailboxColumns)

/** Writes `mailboxes`. */
export function createMailboxStore(db: Database): MailboxStore {
  const add = db.prepare<[number, string, number, string, number, number]>(
    `INSERT INTO mailboxes (project_id, kind, iid, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (project_id, kind, iid) DO NOTHING`,
  )
  const get = db.prepare<[number], MailboxRow>(`SELECT ${columns} FROM mailboxes WHERE id = ?`)
  const find = db.prepare<[number, string, number], MailboxRow>(
    `SELECT ${columns} FROM mailboxes WHERE project_id = ? AND kind = ? AND iid = ?`,
  )
  const listOpen = db.prepare<[number], MailboxRow>(
    `SELECT ${selectList(mailboxColumns, 'm')} FROM projects p CROSS JOIN mailboxes m ON m.project_id = p.id
     WHERE p.id = ? AND p.is_watched = 1 AND m.is_open = 1 ORDER BY m.updated_at DESC, m.id DESC`,
  )
  const countsByProject = db.prepare<[], { projectId: ProjectId; count: number }>(
    'SELECT project_id AS projectId, count(*) AS count FROM mailboxes WHERE is_open = 1 GROUP BY project_id',
  )
  const lists = createMailboxLists(db)
  const patchRow = createRowPatcher<MailboxPatch & { readonly updatedAt?: number }>(
    db,
    'mailboxes',
    mailboxColumns,
  )

  return {
    ensure: ({ projectId, kind, iid, title }, at) => {
      add.run(projectId, kind, iid, title, at, at)
      return toMailbox(existing(find.get(projectId, kind, iid), 'mailbox of issue', iid))
    },
    get: (id) => toMailbox(existing(get.get(id), 'mailbox', id)),
    find: (projectId, kind, iid) => {
      const row = find.get(projectId, kind, iid)
      return row === undefined ? null : toMailbox(row)
    },
    update: (id: MailboxId, patch, at) => {
      patchRow(id, isOnlySeen(patch) ? patch : { ...patch, updatedAt: at })
    },
    list: (request) => lists.list(request).map(toMailbox),
    counts: (projectId) => lists.counts(projectId) satisfies Record<MailboxFilter, number>,
    countsByProject: () => new Map(countsByProject.all().map((row) => [row.projectId, row.count])),
    listOpen: (projectId) => listOpen.all(projectId).map(toMailbox),
  }
}

/** Looking at a mailbox is no news about it: it keeps its place in the list. */
const isOnlySeen = (patch: MailboxPatch): boolean => Object.keys(patch).every((field) => field === 'seenAt')

const toMailbox = (row: MailboxRow): Mailbox => ({ ...row, isOpen: fromFlag(row.isOpen) })
