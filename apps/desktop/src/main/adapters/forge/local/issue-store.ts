import { existing, toFlag } from '../../db/row-values'
import type { LocalDatabase } from './local-database'

export interface IssueRow {
  readonly id: number
  readonly projectId: number
  readonly iid: number
  readonly title: string
  readonly body: string
  readonly authorId: number
  readonly isOpen: 0 | 1
  readonly branchReference: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly textUpdatedAt: number
  readonly changeSeq: number
}

export interface IssueStore {
  add(
    issue: {
      readonly projectId: number
      readonly title: string
      readonly body: string
      readonly authorId: number
    },
    at: number,
  ): IssueRow
  find(projectId: number, iid: number): IssueRow | null
  get(id: number): IssueRow
  /** Marks the issue as changed: a later `updatedAt` and the project's newest place in the poll order. */
  touch(id: number, at: number): void
  setText(id: number, text: { readonly title: string; readonly body: string }, at: number): void
  setOpen(id: number, isOpen: boolean, at: number): void
  /** Changed after `seq`, oldest change first. */
  listChanged(projectId: number, seq: number, limit: number): readonly IssueRow[]
  countOpen(projectId: number): number
  assigneesOf(id: number): readonly number[]
  /** false: nothing to do. */
  assign(id: number, personId: number): boolean
  unassign(id: number, personId: number): boolean
}

export const issueColumns = `i.id, i.project_id AS projectId, i.iid, i.title, i.body, i.author_id AS authorId,
  i.is_open AS isOpen, i.branch_reference AS branchReference, i.created_at AS createdAt, i.updated_at AS updatedAt,
  i.text_updated_at AS textUpdatedAt, i.change_seq AS changeSeq`

const nextSeq = '(SELECT coalesce(max(change_seq), 0) + 1 FROM local_issues WHERE project_id = @projectId)'

/** Writes `local_issues` and `local_assignees`. */
export function createIssueStore(db: LocalDatabase): IssueStore {
  const insert = db.prepare<unknown[], { id: number }>(
    `INSERT INTO local_issues
       (project_id, iid, title, body, author_id, created_at, updated_at, text_updated_at, change_seq)
     VALUES (@projectId, (SELECT coalesce(max(iid), 0) + 1 FROM local_issues WHERE project_id = @projectId),
       @title, @body, @authorId, @at, @at, @at, ${nextSeq})
     RETURNING id`,
  )
  const find = db.prepare<[number, number], IssueRow>(
    `SELECT ${issueColumns} FROM local_issues i WHERE project_id = ? AND iid = ?`,
  )
  const get = db.prepare<[number], IssueRow>(`SELECT ${issueColumns} FROM local_issues i WHERE id = ?`)
  // A clock that was set back must not make a change look older than the one before it.
  const touch = db.prepare<unknown[]>(
    `UPDATE local_issues SET updated_at = max(@at, updated_at + 1), change_seq = ${nextSeq} WHERE id = @id`,
  )
  const setText = db.prepare<unknown[]>(
    'UPDATE local_issues SET title = @title, body = @body, text_updated_at = updated_at WHERE id = @id',
  )
  const setOpen = db.prepare<[number, number]>('UPDATE local_issues SET is_open = ? WHERE id = ?')
  const listChanged = db.prepare<[number, number, number], IssueRow>(
    `SELECT ${issueColumns} FROM local_issues i WHERE project_id = ? AND change_seq > ? ORDER BY change_seq LIMIT ?`,
  )
  const countOpen = db
    .prepare<[number], number>('SELECT count(*) FROM local_issues WHERE project_id = ? AND is_open = 1')
    .pluck()
  const assigneesOf = db
    .prepare<[number], number>('SELECT person_id FROM local_assignees WHERE issue_id = ? ORDER BY person_id')
    .pluck()
  const assign = db.prepare<[number, number]>(
    'INSERT INTO local_assignees (issue_id, person_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const unassign = db.prepare<[number, number]>(
    'DELETE FROM local_assignees WHERE issue_id = ? AND person_id = ?',
  )

  const getRow = (id: number): IssueRow => existing(get.get(id), 'issue', id)
  const touchRow = (id: number, at: number): void => {
    touch.run({ id, at, projectId: getRow(id).projectId })
  }

  return {
    add: (issue, at) => getRow(existing(insert.get({ ...issue, at }), 'issue', 0).id),
    find: (projectId, iid) => find.get(projectId, iid) ?? null,
    get: getRow,
    touch: touchRow,
    setText: (id, text, at) => {
      touchRow(id, at)
      setText.run({ ...text, id })
    },
    setOpen: (id, isOpen, at) => {
      touchRow(id, at)
      setOpen.run(toFlag(isOpen), id)
    },
    listChanged: (projectId, seq, limit) => listChanged.all(projectId, seq, limit),
    countOpen: (projectId) => countOpen.get(projectId) ?? 0,
    assigneesOf: (id) => assigneesOf.all(id),
    assign: (id, personId) => assign.run(id, personId).changes > 0,
    unassign: (id, personId) => unassign.run(id, personId).changes > 0,
  }
}
