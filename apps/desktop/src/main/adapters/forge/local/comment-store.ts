import { existing } from '../../db/row-values'
import type { LocalDatabase } from './local-database'

export interface CommentRow {
  readonly id: number
  readonly issueId: number
  readonly authorId: number
  readonly body: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface CommentStore {
  add(issueId: number, authorId: number, body: string, at: number): CommentRow
  find(id: number): CommentRow | null
  setBody(id: number, body: string, at: number): void
  /** Oldest first. */
  ofIssue(issueId: number): readonly CommentRow[]
  count(issueId: number): number
}

const columns =
  'id, issue_id AS issueId, author_id AS authorId, body, created_at AS createdAt, updated_at AS updatedAt'

/** Writes `local_comments`. */
export function createCommentStore(db: LocalDatabase): CommentStore {
  const insert = db.prepare<[number, number, string, number, number], CommentRow>(
    `INSERT INTO local_comments (issue_id, author_id, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?) RETURNING ${columns}`,
  )
  const find = db.prepare<[number], CommentRow>(`SELECT ${columns} FROM local_comments WHERE id = ?`)
  const setBody = db.prepare<[string, number, number]>(
    'UPDATE local_comments SET body = ?, updated_at = max(?, updated_at + 1) WHERE id = ?',
  )
  const ofIssue = db.prepare<[number], CommentRow>(
    `SELECT ${columns} FROM local_comments WHERE issue_id = ? ORDER BY id`,
  )
  const count = db.prepare<[number], number>('SELECT count(*) FROM local_comments WHERE issue_id = ?').pluck()

  return {
    add: (issueId, authorId, body, at) => existing(insert.get(issueId, authorId, body, at, at), 'comment', 0),
    find: (id) => find.get(id) ?? null,
    setBody: (id, body, at) => {
      setBody.run(body, at, id)
    },
    ofIssue: (issueId) => ofIssue.all(issueId),
    count: (issueId) => count.get(issueId) ?? 0,
  }
}
