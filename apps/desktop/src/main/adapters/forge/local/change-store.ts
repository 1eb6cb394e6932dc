import { existing } from '../../db/row-values'
import type { LocalDatabase } from './local-database'

export type LocalChangeState = 'open' | 'merged' | 'closed'

/** What git said about the two branches of a change when they were last looked at. */
export interface BranchView {
  readonly headSha: string | null
  readonly targetSha: string | null
  readonly baseSha: string | null
  readonly hasConflicts: 0 | 1
}

export interface ChangeRow extends BranchView {
  readonly id: number
  readonly projectId: number
  readonly iid: number
  readonly title: string
  readonly body: string
  readonly authorId: number
  readonly sourceBranch: string
  readonly targetBranch: string
  readonly closesIid: number | null
  readonly state: LocalChangeState
  readonly mergedSha: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export type NewChange = Pick<
  ChangeRow,
  'projectId' | 'title' | 'body' | 'authorId' | 'sourceBranch' | 'targetBranch' | 'closesIid'
>

export interface ChangeStore {
  add(change: NewChange & BranchView, at: number): ChangeRow
  find(projectId: number, iid: number): ChangeRow | null
  get(id: number): ChangeRow
  findOpen(projectId: number, sourceBranch: string): ChangeRow | null
  setBranches(id: number, view: BranchView, at: number): void
  setState(id: number, state: LocalChangeState, mergedSha: string | null, at: number): void
  /** Newest first. */
  list(projectId: number, state: LocalChangeState | 'all', limit: number): readonly ChangeRow[]
  listByBranch(projectId: number, sourceBranch: string): readonly ChangeRow[]
  listClosing(projectId: number, iid: number): readonly ChangeRow[]
  countOpen(projectId: number): number
  /** Whether an open one comes from the branch or goes to it. */
  isOpenAround(projectId: number, branch: string): boolean
}

const columns = `id, project_id AS projectId, iid, title, body, author_id AS authorId, source_branch AS sourceBranch,
  target_branch AS targetBranch, closes_iid AS closesIid, state, head_sha AS headSha, target_sha AS targetSha,
  base_sha AS baseSha, has_conflicts AS hasConflicts, merged_sha AS mergedSha, created_at AS createdAt, updated_at AS updatedAt`

/** Writes `local_changes`. */
export function createChangeStore(db: LocalDatabase): ChangeStore {
  const insert = db.prepare<unknown[], { id: number }>(
    `INSERT INTO local_changes (project_id, iid, title, body, author_id, source_branch, target_branch, closes_iid,
       state, head_sha, target_sha, base_sha, has_conflicts, created_at, updated_at)
     VALUES (@projectId, (SELECT coalesce(max(iid), 0) + 1 FROM local_changes WHERE project_id = @projectId), @title, @body,
       @authorId, @sourceBranch, @targetBranch, @closesIid, 'open', @headSha, @targetSha, @baseSha, @hasConflicts, @at, @at)
     RETURNING id`,
  )
  const select = `SELECT ${columns} FROM local_changes`
  const find = db.prepare<[number, number], ChangeRow>(`${select} WHERE project_id = ? AND iid = ?`)
  const get = db.prepare<[number], ChangeRow>(`${select} WHERE id = ?`)
  const findOpen = db.prepare<[number, string], ChangeRow>(
    `${select} WHERE project_id = ? AND source_branch = ? AND state = 'open'`,
  )
  const setBranches = db.prepare<unknown[]>(
    `UPDATE local_changes SET head_sha = @headSha, target_sha = @targetSha, base_sha = @baseSha,
       has_conflicts = @hasConflicts, updated_at = max(@at, updated_at + 1) WHERE id = @id`,
  )
  const setState = db.prepare<[string, string | null, number, number]>(
    'UPDATE local_changes SET state = ?, merged_sha = ?, has_conflicts = 0, updated_at = max(?, updated_at + 1) WHERE id = ?',
  )
  const listAll = db.prepare<[number, number], ChangeRow>(
    `${select} WHERE project_id = ? ORDER BY id DESC LIMIT ?`,
  )
  const listState = db.prepare<[number, string, number], ChangeRow>(
    `${select} WHERE project_id = ? AND state = ? ORDER BY id DESC LIMIT ?`,
  )
  const listByBranch = db.prepare<[number, string], ChangeRow>(
    `${select} WHERE project_id = ? AND source_branch = ? ORDER BY id DESC`,
  )
  const listClosing = db.prepare<[number, number], ChangeRow>(
    `${select} WHERE project_id = ? AND closes_iid = ? ORDER BY id DESC`,
  )
  const countOpen = db
    .prepare<[number], number>("SELECT count(*) FROM local_changes WHERE project_id = ? AND state = 'open'")
    .pluck()

  const isOpenAround = db
    .prepare<[number, string, string], number>(
      "SELECT EXISTS (SELECT 1 FROM local_changes WHERE project_id = ? AND state = 'open' AND (source_branch = ? OR target_branch = ?))",
    )
    .pluck()

  const getRow = (id: number): ChangeRow => existing(get.get(id), 'change', id)

  return {
    add: (change, at) => getRow(existing(insert.get({ ...change, at }), 'change', 0).id),
    find: (projectId, iid) => find.get(projectId, iid) ?? null,
    get: getRow,
    findOpen: (projectId, sourceBranch) => findOpen.get(projectId, sourceBranch) ?? null,
    setBranches: (id, view, at) => {
      setBranches.run({ ...view, id, at })
    },
    setState: (id, state, mergedSha, at) => {
      setState.run(state, mergedSha, at, id)
    },
    list: (projectId, state, limit) =>
      state === 'all' ? listAll.all(projectId, limit) : listState.all(projectId, state, limit),
    listByBranch: (projectId, sourceBranch) => listByBranch.all(projectId, sourceBranch),
    listClosing: (projectId, iid) => listClosing.all(projectId, iid),
    countOpen: (projectId) => countOpen.get(projectId) ?? 0,
    isOpenAround: (projectId, branch) => isOpenAround.get(projectId, branch, branch) === 1,
  }
}
