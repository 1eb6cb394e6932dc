import { type IssueQuery, toFullTextQuery } from '@main/core/forge/search-query'
import { issueColumns, type IssueRow } from './issue-store'
import type { LocalDatabase } from './local-database'

export interface IssueSearch {
  /** null: all local projects. */
  readonly projectId: number | null
  readonly query: IssueQuery
  /** Who `me` is in the query. */
  readonly me: number
  readonly limit: number
  /** Only issues after this one in the order of the list. */
  readonly after: { readonly updatedAt: number; readonly id: number } | null
}

export interface SearchStore {
  /** Takes the issue's present text into the index, its comments too. */
  index(issueId: number): void
  /** Newest update first. */
  search(search: IssueSearch): { readonly rows: readonly IssueRow[]; readonly total: number }
}

/** Writes `local_issue_search`. */
export function createSearchStore(db: LocalDatabase): SearchStore {
  const remove = db.prepare<[number]>('DELETE FROM local_issue_search WHERE rowid = ?')
  const insert = db.prepare<[number]>(
    `INSERT INTO local_issue_search (rowid, title, body, comments)
     SELECT i.id, i.title, i.body,
       coalesce((SELECT group_concat(c.body, char(10)) FROM local_comments c WHERE c.issue_id = i.id), '')
     FROM local_issues i WHERE i.id = ?`,
  )

  return {
    index: (issueId) => {
      remove.run(issueId)
      insert.run(issueId)
    },
    search: (search) => {
      const { where, values } = conditions(search)
      const total =
        db
          .prepare<unknown[], number>(`SELECT count(*) FROM local_issues i WHERE ${where}`)
          .pluck()
          .get(values) ?? 0
      const rows = db
        .prepare<unknown[], IssueRow>(
          `SELECT ${issueColumns} FROM local_issues i WHERE ${where}
           AND (@afterId IS NULL OR (i.updated_at, i.id) < (@afterAt, @afterId))
           ORDER BY i.updated_at DESC, i.id DESC LIMIT @limit`,
        )
        .all({
          ...values,
          afterAt: search.after?.updatedAt ?? null,
          afterId: search.after?.id ?? null,
          limit: search.limit,
        })
      return { rows, total }
    },
  }
}

/** Text comes in as values only; the SQL is made of the fixed pieces below. */
function conditions({ projectId, query, me }: IssueSearch): {
  readonly where: string
  readonly values: Record<string, unknown>
} {
  const parts: string[] = ['1 = 1']
  const values: Record<string, unknown> = {}
  const condition = (sql: string, named: Record<string, unknown>): void => {
    parts.push(sql)
    Object.assign(values, named)
  }
  if (projectId !== null) condition('i.project_id = @projectId', { projectId })
  if (query.state !== 'all') condition('i.is_open = @isOpen', { isOpen: query.state === 'open' ? 1 : 0 })
  if (query.iid !== null) condition('i.iid = @iid', { iid: query.iid })
  for (const [n, label] of query.labels.entries()) {
    condition(
      `EXISTS (SELECT 1 FROM local_issue_labels il JOIN local_labels l ON l.id = il.label_id
         WHERE il.issue_id = i.id AND l.name = @label${n})`,
      { [`label${n}`]: label },
    )
  }
  if (query.assignee === 'none')
    parts.push('NOT EXISTS (SELECT 1 FROM local_assignees a WHERE a.issue_id = i.id)')
  else if (query.assignee !== null) {
    condition(
      `EXISTS (SELECT 1 FROM local_assignees a WHERE a.issue_id = i.id AND a.person_id = ${person('assignee')})`,
      {
        assignee: query.assignee,
        me,
      },
    )
  }
  if (query.author !== null) condition(`i.author_id = ${person('author')}`, { author: query.author, me })
  const match = toFullTextQuery(query.terms)
  if (match !== null) {
    const [only] = query.terms
    const asNumber = query.terms.length === 1 && /^\d{1,9}$/.test(only ?? '') ? Number(only) : null
    condition(
      '(i.iid = @number OR i.id IN (SELECT rowid FROM local_issue_search WHERE local_issue_search MATCH @match))',
      {
        match,
        number: asNumber,
      },
    )
  }
  return { where: parts.join(' AND '), values }
}

const person = (name: 'assignee' | 'author'): string =>
  `CASE WHEN @${name} = 'me' THEN @me ELSE (SELECT id FROM local_people WHERE login = @${name}) END`
