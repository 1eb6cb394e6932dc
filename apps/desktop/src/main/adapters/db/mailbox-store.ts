import type { Database } from 'better-sqlite3'
import type { MailboxId, ProjectId } from '@shared/model/ids'
import type { Mailbox } from '@shared/model/records'
import { closedAtAfter } from '@main/core/cleanup/closed-at'
import type { MailboxPatch, MailboxStore } from '@main/ports/stores'
import type { MailboxFilter } from '@shared/model/words'
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
  const listToClean = db.prepare<[object], MailboxRow>(
    `SELECT ${columns} FROM mailboxes
     WHERE project_id = :projectId AND closed_at IS NOT NULL AND closed_at <= :closedBefore
       AND (memory_removed_at IS NULL OR memory_removed_at < closed_at)
       AND (closed_at, id) > (:closedAt, :id)
     ORDER BY closed_at, id LIMIT :limit`,
  )
  const listUntold = db
    .prepare<[], MailboxId>(
      `SELECT id FROM mailboxes INDEXED BY mailboxes_untold
       WHERE needs_you IS NOT NULL AND needs_you IS NOT needs_you_told ORDER BY id`,
    )
    .pluck()
  const tell = db.prepare<[string | null, number, string | null]>(
    'UPDATE mailboxes SET needs_you_told = ? WHERE id = ? AND needs_you_told IS NOT ?',
  )
  const lists = createMailboxLists(db)
  const patchRow = createRowPatcher<
    MailboxPatch & { readonly updatedAt?: number; readonly closedAt?: number | null }
  >(db, 'mailboxes', mailboxColumns)

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
      const ending = endingOf(patch, () => toMailbox(existing(get.get(id), 'mailbox', id)), at)
      patchRow(id, { ...patch, ...ending, ...(!isNoNews(patch) && { updatedAt: at }) })
    },
    list: (request) => lists.list(request).map(toMailbox),
    counts: (projectId) => lists.counts(projectId) satisfies Record<MailboxFilter, number>,
    countsByProject: () => new Map(countsByProject.all().map((row) => [row.projectId, row.count])),
    listOpen: (projectId) => listOpen.all(projectId).map(toMailbox),
    listUntold: () => listUntold.all(),
    tell: (id, needsYou) => tell.run(needsYou, id, needsYou).changes === 1,
    listToClean: ({ projectId, closedBefore, limit, after }) =>
      listToClean
        .all({ projectId, closedBefore, limit, closedAt: after?.closedAt ?? -1, id: after?.id ?? 0 })
        .map(toMailbox),
  }
}

/** Looking at a mailbox and cleaning it up is no news about it: it keeps its place in the list. */
const isNoNews = (patch: MailboxPatch): boolean => Object.keys(patch).every((field) => quiet.has(field))
const quiet: ReadonlySet<string> = new Set([
  'seenAt',
  'memoryRemovedAt',
  'cleanupHeldAt',
] satisfies (keyof Mailbox)[])

/** Closed and opened again: what was said about its cleanup is said anew. */
function endingOf(
  patch: MailboxPatch,
  read: () => Mailbox,
  at: number,
): { readonly closedAt?: number | null; readonly cleanupHeldAt?: null } {
  if (patch.isOpen === undefined && patch.status === undefined) return {}
  const before = read()
  const after = {
    isOpen: patch.isOpen ?? before.isOpen,
    status: patch.status === undefined ? before.status : patch.status,
  }
  const closedAt = closedAtAfter(before, after, at)
  return closedAt === before.closedAt ? {} : { closedAt, cleanupHeldAt: null }
}

const toMailbox = (row: MailboxRow): Mailbox => ({ ...row, isOpen: fromFlag(row.isOpen) })
