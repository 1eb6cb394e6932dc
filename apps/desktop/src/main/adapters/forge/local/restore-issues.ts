import { alfredLabels, toStatusLabel } from '@main/core/forge/labels'
import type { Status } from '@shared/model/words'
import { toFlag } from '../../db/row-values'
import type { LocalDatabase } from './local-database'
import { createLocalStores } from './local-stores'

interface LostIssue {
  readonly projectId: number
  readonly iid: number
  readonly title: string
  readonly status: Status | null
  readonly isOpen: 0 | 1
  readonly createdAt: number
}

const body = [
  'This issue was put here again when the database was restored.',
  'Its runs and their memory are there; its text and comments were written after the last backup and are lost.',
].join(' ')

/**
 * Issues of the local forge lie in the database too: those that only their runs know are put there again under their
 * number, so that no new issue gets it, and the memory with it. Returns how many; within a transaction of the caller.
 */
export function restoreLocalIssues(db: LocalDatabase, now: number): number {
  const lost = db
    .prepare<[], LostIssue>(
      `SELECT m.project_id AS projectId, m.iid, m.title, m.status, m.is_open AS isOpen, m.created_at AS createdAt
       FROM mailboxes m JOIN projects p ON p.id = m.project_id JOIN organizations o ON o.id = p.organization_id
       JOIN forges f ON f.id = o.forge_id
       WHERE f.kind = 'local' AND m.kind = 'issue' AND NOT EXISTS
         (SELECT 1 FROM local_issues i WHERE i.project_id = m.project_id AND i.iid = m.iid)
       ORDER BY m.project_id, m.iid`,
    )
    .all()
  if (lost.length === 0) return 0
  const { people, labels, issues } = createLocalStores(db)
  const alfred = people.ensureAlfred(now)
  // Without a backup the account is a new one.
  db.prepare("UPDATE forges SET account_id = ? WHERE kind = 'local'").run(String(alfred.id))
  const insert = db.prepare<[object], { id: number }>(
    `INSERT INTO local_issues (project_id, iid, title, body, author_id, is_open, created_at, updated_at, text_updated_at,
       change_seq)
     VALUES (:projectId, :iid, :title, :body, :authorId, :isOpen, :createdAt, :now, :now,
       (SELECT coalesce(max(change_seq), 0) + 1 FROM local_issues WHERE project_id = :projectId))
     RETURNING id`,
  )
  for (const issue of lost) {
    const { projectId, iid, title, isOpen, createdAt, status } = issue
    labels.ensure(projectId, alfredLabels)
    const added = insert.get({
      projectId,
      iid,
      title,
      isOpen: toFlag(isOpen === 1),
      createdAt,
      body,
      authorId: alfred.id,
      now,
    })
    if (added === undefined) continue
    issues.assign(added.id, alfred.id)
    const label = status === null ? null : labels.find(projectId, toStatusLabel(status))
    if (label !== null) labels.addToIssue(added.id, label, alfred.id, now)
  }
  return lost.length
}
