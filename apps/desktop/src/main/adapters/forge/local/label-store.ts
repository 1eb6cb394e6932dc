import type { LabelSpec } from '@main/core/forge/labels'
import type { LocalDatabase } from './local-database'

export interface LabelRow extends LabelSpec {
  readonly id: number
}

export interface LabelEventRow {
  readonly id: number
  readonly label: string
  readonly action: 'added' | 'removed'
  readonly personId: number
  readonly at: number
}

export interface LabelStore {
  /** Adds those that the project has not. */
  ensure(projectId: number, labels: readonly LabelSpec[]): void
  find(projectId: number, name: string): LabelRow | null
  list(projectId: number): readonly LabelRow[]
  /** By name. */
  ofIssue(issueId: number): readonly LabelRow[]
  /** false: it was there already, and nothing was noted. */
  addToIssue(issueId: number, label: LabelRow, personId: number, at: number): boolean
  removeFromIssue(issueId: number, label: LabelRow, personId: number, at: number): boolean
  /** Oldest first. */
  eventsOf(issueId: number): readonly LabelEventRow[]
}

/** Writes `local_labels`, `local_issue_labels` and `local_label_events`. */
export function createLabelStore(db: LocalDatabase): LabelStore {
  const insert = db.prepare<[number, string, string]>(
    'INSERT INTO local_labels (project_id, name, color) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const find = db.prepare<[number, string], LabelRow>(
    'SELECT id, name, color FROM local_labels WHERE project_id = ? AND name = ?',
  )
  const list = db.prepare<[number], LabelRow>(
    'SELECT id, name, color FROM local_labels WHERE project_id = ? ORDER BY name',
  )
  const ofIssue = db.prepare<[number], LabelRow>(
    `SELECT l.id, l.name, l.color FROM local_issue_labels il JOIN local_labels l ON l.id = il.label_id
     WHERE il.issue_id = ? ORDER BY l.name`,
  )
  const add = db.prepare<[number, number]>(
    'INSERT INTO local_issue_labels (issue_id, label_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const remove = db.prepare<[number, number]>(
    'DELETE FROM local_issue_labels WHERE issue_id = ? AND label_id = ?',
  )
  const note = db.prepare<[number, string, string, number, number]>(
    'INSERT INTO local_label_events (issue_id, label, action, person_id, at) VALUES (?, ?, ?, ?, ?)',
  )
  const events = db.prepare<[number], LabelEventRow>(
    'SELECT id, label, action, person_id AS personId, at FROM local_label_events WHERE issue_id = ? ORDER BY id',
  )

  return {
    ensure: (projectId, labels) => {
      for (const { name, color } of labels) insert.run(projectId, name, color)
    },
    find: (projectId, name) => find.get(projectId, name) ?? null,
    list: (projectId) => list.all(projectId),
    ofIssue: (issueId) => ofIssue.all(issueId),
    addToIssue: (issueId, label, personId, at) => {
      if (add.run(issueId, label.id).changes === 0) return false
      note.run(issueId, label.name, 'added', personId, at)
      return true
    },
    removeFromIssue: (issueId, label, personId, at) => {
      if (remove.run(issueId, label.id).changes === 0) return false
      note.run(issueId, label.name, 'removed', personId, at)
      return true
    },
    eventsOf: (issueId) => events.all(issueId),
  }
}
