import type { Database } from 'better-sqlite3'
import { containerName } from '@main/core/sandbox/sandbox-spec'
import type { RunRecord } from '@main/core/restore/run-record'
import { mailboxColumns } from '../mailbox-row'
import { attemptColumns } from '../run-attempt-store'
import { runColumns } from '../run-store'
import { sessionColumns } from '../session-row'
import { putDropped } from './put-dropped'
import { putFigures } from './put-figures'
import { addRow, updateRow } from './put-row'

/*
 * One run record into the database, whatever of it is there already. Ids are kept where they are free, since people
 * know runs by their number and the latest session is the one with the highest id.
 */

export type FilledIn =
  | {
      readonly type: 'added' | 'updated' | 'known'
      readonly sessions: number
      readonly isNewMailbox: boolean
    }
  | { readonly type: 'refused'; readonly reason: string }

export const cutByRestore = 'The database was restored while this run was under way.'

/** Within a transaction of the caller. */
export function fillInRun(db: Database, record: RunRecord): FilledIn {
  const projectId = ensureProject(db, record)
  if (typeof projectId === 'string') return { type: 'refused', reason: projectId }
  putPlace(db, record, projectId)
  const { mailboxId, isNew: isNewMailbox } = putMailbox(db, record, projectId)
  const found = db
    .prepare<[string], { id: number; state: string; mailboxId: number }>(
      'SELECT id, state, mailbox_id AS mailboxId FROM runs WHERE uid = ?',
    )
    .get(record.run.uid)
  if (found !== undefined && found.mailboxId !== mailboxId)
    return { type: 'refused', reason: 'the database has this run for another issue' }
  putDropped(db, record, mailboxId)
  if (found?.state === 'ended') return { type: 'known', sessions: 0, isNewMailbox }

  endOthers(db, mailboxId, record.run.uid)
  const run = { ...withoutLostContainer(record), mailboxId }
  const runId =
    found === undefined ? addRow(db, 'runs', runColumns, run) : (updateRun(db, found.id, run), found.id)
  const sessions = putAttempts(db, record, { runId, mailboxId, isCut: run.state !== record.run.state })
  putPlan(db, record, runId, mailboxId)
  if (run.state !== 'ended' && run.state !== 'queued') {
    db.prepare(
      'INSERT INTO session_locks (mailbox_id, run_id, since) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ).run(mailboxId, runId, record.writtenAt)
  } else {
    db.prepare('DELETE FROM session_locks WHERE run_id = ?').run(runId)
  }
  return { type: found === undefined ? 'added' : 'updated', sessions, isNewMailbox }
}

const updateRun = (db: Database, id: number, run: object): void =>
  updateRow(db, 'runs', runColumns, id, run, ['uid'])

/** The project's id, or why this record cannot belong to any project here. */
function ensureProject(
  db: Database,
  { forge, organization, project, writtenAt }: RunRecord,
): number | string {
  const forgeId =
    db
      .prepare<[string, string], number>('SELECT id FROM forges WHERE kind = ? AND name = ?')
      .pluck()
      .get(forge.kind, forge.name) ?? addRow(db, 'forges', forgeColumns, { ...forge, createdAt: writtenAt })
  const organizationId =
    db
      .prepare<[number, string], number>('SELECT id FROM organizations WHERE forge_id = ? AND slug = ?')
      .pluck()
      .get(forgeId, organization.slug) ??
    addRow(db, 'organizations', organizationColumns, { ...organization, forgeId, createdAt: writtenAt })
  const present = db
    .prepare<[number, string], number>('SELECT id FROM projects WHERE organization_id = ? AND slug = ?')
    .pluck()
    .get(organizationId, project.slug)
  // The id is part of the names of folders: workspaces and session state of another project are not this one's.
  if (present !== undefined && present !== project.id)
    return `${organization.slug}/${project.slug} is another project of that name by now`
  if (present !== undefined) return present
  const isTaken = db.prepare('SELECT 1 FROM projects WHERE id = ?').get(project.id) !== undefined
  if (isTaken) return `another project has the number ${project.id}`
  return addRow(db, 'projects', projectColumns, { ...project, organizationId, createdAt: writtenAt })
}

/** What the backup knows counts: it may have been moved since. A project without a place cannot be polled. */
function putPlace(db: Database, { place }: RunRecord, projectId: number): void {
  if (place === null || place === undefined) return
  db.prepare(
    `INSERT INTO forge_projects (project_id, path, remote_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
  ).run(projectId, place.path, place.remoteId)
}

const forgeColumns = {
  id: 'id',
  kind: 'kind',
  name: 'name',
  baseUrl: 'base_url',
  caFile: 'ca_file',
  accountId: 'account_id',
  accountLogin: 'account_login',
  createdAt: 'created_at',
}
const organizationColumns = { id: 'id', forgeId: 'forge_id', slug: 'slug', createdAt: 'created_at' }
const projectColumns = {
  id: 'id',
  organizationId: 'organization_id',
  slug: 'slug',
  defaultBranch: 'default_branch',
  isDemo: 'is_demo',
  isWatched: 'is_watched',
  createdAt: 'created_at',
}

/** What changed last counts; a branch name that was frozen stays, since it is the name of the sessions. */
function putMailbox(
  db: Database,
  { mailbox }: RunRecord,
  projectId: number,
): { readonly mailboxId: number; readonly isNew: boolean } {
  const found = db
    .prepare<[number, string, number], { id: number; updatedAt: number; branchName: string | null }>(
      `SELECT id, updated_at AS updatedAt, branch_name AS branchName FROM mailboxes
       WHERE project_id = ? AND kind = ? AND iid = ?`,
    )
    .get(projectId, mailbox.kind, mailbox.iid)
  if (found === undefined)
    return { mailboxId: addRow(db, 'mailboxes', mailboxColumns, { ...mailbox, projectId }), isNew: true }
  if (mailbox.updatedAt > found.updatedAt) {
    const branchName = mailbox.branchName ?? found.branchName
    updateRow(db, 'mailboxes', mailboxColumns, found.id, { ...mailbox, projectId, branchName }, [])
  }
  return { mailboxId: found.id, isNew: false }
}

/**
 * A run that worked can go on only if its start is known, by which its container is found. A turn of a chat that had not
 * begun does not begin by itself: its message comes back, and the files that went along with it are lost.
 */
function withoutLostContainer({ run, starts, attempts, talk, writtenAt }: RunRecord): RunRecord['run'] {
  const isTurnToCome = run.state === 'queued' && attempts.length === 0 && talk != null
  if (!isTurnToCome && run.state !== 'running' && run.state !== 'stopping') return run
  const last = attempts.at(-1)
  const hasStart = (starts ?? []).some(({ attemptId, endedAt }) => attemptId === last?.id && endedAt === null)
  if (hasStart) return run
  const error = JSON.stringify({ type: 'interrupted', message: cutByRestore })
  return { ...run, state: 'ended', outcome: 'interrupted', error, endedAt: writtenAt, nextAttemptAt: null }
}

/** A mailbox has one run that has not ended; an older one of the backup is over by now, however it went. */
function endOthers(db: Database, mailboxId: number, uid: string): void {
  const error = JSON.stringify({ type: 'interrupted', message: cutByRestore })
  db.prepare(
    `UPDATE runs SET state = 'ended', outcome = 'interrupted', error = ?, next_attempt_at = NULL,
       ended_at = coalesce(started_at, created_at)
     WHERE mailbox_id = ? AND uid <> ? AND state <> 'ended'`,
  ).run(error, mailboxId, uid)
  db.prepare(
    "DELETE FROM session_locks WHERE mailbox_id = ? AND run_id IN (SELECT id FROM runs WHERE state = 'ended')",
  ).run(mailboxId)
}

/** Returns how many sessions were added or changed. */
function putAttempts(
  db: Database,
  record: RunRecord,
  {
    runId,
    mailboxId,
    isCut,
  }: { readonly runId: number; readonly mailboxId: number; readonly isCut: boolean },
): number {
  const findAttempt = db
    .prepare<[number, number], number>('SELECT id FROM run_attempts WHERE run_id = ? AND number = ?')
    .pluck()
  const findSession = db.prepare<[number], number>('SELECT id FROM llm_sessions WHERE attempt_id = ?').pluck()
  let sessions = 0
  for (const recorded of record.attempts) {
    const outcome = isCut && recorded === record.attempts.at(-1) ? 'interrupted' : recorded.outcome
    const attempt = { ...recorded, runId, outcome }
    const present = findAttempt.get(runId, attempt.number)
    const attemptId = present ?? addRow(db, 'run_attempts', attemptColumns, attempt)
    if (present !== undefined) updateRow(db, 'run_attempts', attemptColumns, present, attempt, [])
    for (const session of record.sessions.filter((one) => one.attemptId === recorded.id)) {
      const row = { ...session, runId, attemptId, mailboxId }
      const known = findSession.get(attemptId)
      const id = known ?? addRow(db, 'llm_sessions', sessionColumns, row)
      if (known !== undefined) updateRow(db, 'llm_sessions', sessionColumns, known, row, [])
      putFigures(db, record, session, id)
      sessions += 1
    }
    putStarts(db, record, { recordedId: recorded.id, attemptId, number: recorded.number, isCut })
  }
  return sessions
}

const startColumns = {
  id: 'id',
  attemptId: 'attempt_id',
  number: 'number',
  kind: 'kind',
  containerId: 'container_id',
  askedSessionId: 'asked_session_id',
  exitCode: 'exit_code',
  startedAt: 'started_at',
  endedAt: 'ended_at',
}

/**
 * A start that goes on is found by its container's name. One that the backup knows keeps how far it was read; any
 * other is read from its beginning, so that its transcript is whole again.
 */
function putStarts(
  db: Database,
  { starts, run, writtenAt }: RunRecord,
  attempt: {
    readonly recordedId: number
    readonly attemptId: number
    readonly number: number
    readonly isCut: boolean
  },
): void {
  const find = db
    .prepare<[number, number], number>('SELECT id FROM run_starts WHERE attempt_id = ? AND number = ?')
    .pluck()
  for (const recorded of starts ?? []) {
    if (recorded.attemptId !== attempt.recordedId) continue
    const start = {
      ...recorded,
      attemptId: attempt.attemptId,
      endedAt: recorded.endedAt ?? (attempt.isCut ? writtenAt : null),
      containerId: containerName({ runUid: run.uid, attempt: attempt.number, start: recorded.number }),
    }
    const present = find.get(attempt.attemptId, start.number)
    if (present === undefined) addRow(db, 'run_starts', startColumns, start)
    else updateRow(db, 'run_starts', startColumns, present, start, [])
  }
}

function putPlan(db: Database, { plan }: RunRecord, runId: number, mailboxId: number): void {
  if (plan === null || plan === undefined) return
  db.prepare(
    `INSERT INTO plans (mailbox_id, run_id, functional_analysis, plan, issue_sha256, created_at)
     VALUES (:mailboxId, :runId, :functionalAnalysis, :plan, :issueSha256, :createdAt)
     ON CONFLICT (mailbox_id) DO UPDATE SET run_id = excluded.run_id,
       functional_analysis = excluded.functional_analysis, plan = excluded.plan,
       issue_sha256 = excluded.issue_sha256, created_at = excluded.created_at
     WHERE excluded.created_at > plans.created_at`,
  ).run({ ...plan, runId, mailboxId })
}
