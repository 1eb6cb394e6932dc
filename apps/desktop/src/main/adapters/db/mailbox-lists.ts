import type { Database } from 'better-sqlite3'
import type { ProjectId } from '@shared/model/ids'
import type { MailboxListRequest } from '@main/ports/stores'
import type { MailboxFilter } from '@shared/model/words'
import { mailboxColumns, type MailboxRow } from './mailbox-row'
import { selectList } from './row-values'

/** Every filter of the sidebar as the part of the query that an index of its own answers. */
const filters: Readonly<Record<MailboxFilter, { readonly from: string; readonly where: string }>> = {
  'all-open': { from: 'mailboxes m', where: 'm.is_open = 1' },
  'needs-you': {
    from: 'mailboxes m INDEXED BY mailboxes_needing_person',
    where: 'm.needs_you IS NOT NULL AND m.is_open = 1',
  },
  // Few runs are live, however many there are: begin with those.
  running: {
    from: 'runs r INDEXED BY runs_live CROSS JOIN mailboxes m ON m.id = r.mailbox_id',
    where: "r.state <> 'ended'",
  },
  'in-ci': { from: 'mailboxes m', where: "m.list_group = 'in_ci'" },
  'in-review': { from: 'mailboxes m', where: "m.list_group = 'in_review'" },
  blocked: { from: 'mailboxes m', where: "m.list_group = 'blocked'" },
  done: { from: 'mailboxes m', where: "m.list_group = 'done'" },
}

interface PageParams {
  readonly projectId: number | null
  readonly updatedAt: number
  readonly id: number
  readonly text: string | null
  readonly iid: number | null
  readonly limit: number
}

export interface MailboxLists {
  list(request: MailboxListRequest): readonly MailboxRow[]
  counts(projectId: ProjectId | null): Record<MailboxFilter, number>
}

/** Reads pages of mailboxes, latest first. A page ends where the next begins: (updatedAt, id) is the key. */
export function createMailboxLists(db: Database): MailboxLists {
  const pages = byFilter((filter) => ({
    all: db.prepare<[PageParams], MailboxRow>(pageSql(filter, '')),
    project: db.prepare<[PageParams], MailboxRow>(pageSql(filter, 'm.project_id = :projectId AND')),
  }))
  const counts = byFilter((filter) => ({
    all: db.prepare<[], number>(countSql(filter, '')).pluck(),
    project: db.prepare<[number], number>(countSql(filter, 'm.project_id = ? AND')).pluck(),
  }))
  const count = (filter: MailboxFilter, projectId: ProjectId | null): number =>
    (projectId === null ? counts[filter].all.get() : counts[filter].project.get(projectId)) ?? 0

  return {
    list: ({ filter, projectId, text, limit, before }) => {
      const statement = projectId === null ? pages[filter].all : pages[filter].project
      return statement.all({
        projectId,
        updatedAt: before?.updatedAt ?? Number.MAX_SAFE_INTEGER,
        id: before?.id ?? Number.MAX_SAFE_INTEGER,
        text: text === null ? null : containing(text.trim()),
        iid: text === null ? null : iidIn(text),
        limit,
      })
    },
    counts: (projectId) => byFilter((filter) => count(filter, projectId)),
  }
}

function byFilter<T>(make: (filter: MailboxFilter) => T): Record<MailboxFilter, T> {
  const all = Object.keys(filters) as MailboxFilter[]
  return Object.fromEntries(all.map((filter) => [filter, make(filter)])) as Record<MailboxFilter, T>
}

const pageSql = (filter: MailboxFilter, project: string): string =>
  `SELECT ${selectList(mailboxColumns, 'm')} FROM ${filters[filter].from}
   WHERE ${project} ${filters[filter].where}
     AND (m.updated_at, m.id) < (:updatedAt, :id)
     AND (:text IS NULL OR m.title LIKE :text ESCAPE '\\' OR m.iid = :iid)
   ORDER BY m.updated_at DESC, m.id DESC LIMIT :limit`

const countSql = (filter: MailboxFilter, project: string): string =>
  `SELECT count(*) FROM ${filters[filter].from} WHERE ${project} ${filters[filter].where}`

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** The number meant by `42`, `#42` or `!42`. */
function iidIn(text: string): number | null {
  const digits = /^\s*[#!]?(\d{1,15})\s*$/.exec(text)?.[1]
  return digits === undefined ? null : Number(digits)
}
