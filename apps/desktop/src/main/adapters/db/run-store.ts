import type { Database } from 'better-sqlite3'
import type { Run } from '@shared/model/records'
import type { RunPatch, RunStore } from '@main/ports/stores'
import { createRowPatcher } from './patch-row'
import type { RunAftermathStore } from './run-aftermath-store'
import { existing, selectList } from './row-values'

export const runColumns = {
  id: 'id',
  uid: 'uid',
  mailboxId: 'mailbox_id',
  phase: 'phase',
  trigger: 'trigger',
  requestedBy: 'requested_by',
  state: 'state',
  outcome: 'outcome',
  error: 'error',
  llmRetries: 'llm_retries',
  runner: 'runner',
  adapter: 'adapter',
  provider: 'provider',
  model: 'model',
  resumeChoice: 'resume_choice',
  sessionOffReason: 'session_off_reason',
  baseSha: 'base_sha',
  headSha: 'head_sha',
  commits: 'commits',
  result: 'result',
  deadline: 'deadline',
  remainingMs: 'remaining_ms',
  nextAttemptAt: 'next_attempt_at',
  createdAt: 'created_at',
  startedAt: 'started_at',
  endedAt: 'ended_at',
} satisfies Record<keyof Run, string>

const columns = selectList(runColumns)

type NewRunRow = readonly [
  string,
  number,
  string,
  string,
  string | null,
  string,
  string,
  string | null,
  string | null,
  string,
  number | null,
  number,
]

/** The part of the run store that writes `runs`. */
export type RunRowStore = Omit<
  RunStore,
  | 'addAttempt'
  | 'updateAttempt'
  | 'setSandbox'
  | 'sandboxOf'
  | 'listAttempts'
  | 'addStart'
  | 'updateStart'
  | 'setStreamPosition'
  | 'listStarts'
  | keyof RunAftermathStore
>

/** Writes `runs`. */
export function createRunStore(db: Database): RunRowStore {
  const add = db.prepare<[...NewRunRow], Run>(
    `INSERT INTO runs (uid, mailbox_id, phase, trigger, requested_by, runner, adapter, provider, model,
       resume_choice, chat_thread, state, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?)
     ON CONFLICT (mailbox_id) WHERE state <> 'ended' DO NOTHING RETURNING ${columns}`,
  )
  const get = db.prepare<[number], Run>(`SELECT ${columns} FROM runs WHERE id = ?`)
  const findByUid = db.prepare<[string], Run>(`SELECT ${columns} FROM runs WHERE uid = ?`)
  const findLive = db.prepare<[number], Run>(
    `SELECT ${columns} FROM runs INDEXED BY runs_one_live_per_mailbox WHERE mailbox_id = ? AND state <> 'ended'`,
  )
  const listLive = db.prepare<[], Run>(
    `SELECT ${columns} FROM runs INDEXED BY runs_live WHERE state <> 'ended' ORDER BY id`,
  )
  const listDue = db.prepare<[number, number], Run>(
    `SELECT ${columns} FROM runs INDEXED BY runs_live
     WHERE state <> 'ended' AND state = 'queued' AND (next_attempt_at IS NULL OR next_attempt_at <= ?)
     ORDER BY id LIMIT ?`,
  )
  const listByMailbox = db.prepare<[number, number, number], Run>(
    `SELECT ${columns} FROM runs WHERE mailbox_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  )
  const countLive = db.prepare<[], { running: number; queued: number }>(
    `SELECT count(*) FILTER (WHERE state <> 'queued') AS running, count(*) FILTER (WHERE state = 'queued') AS queued
     FROM runs INDEXED BY runs_live WHERE state <> 'ended'`,
  )
  const patchRow = createRowPatcher<RunPatch>(db, 'runs', runColumns)
  const newestFirst = (mailboxId: number, beforeId: number | null, limit: number): readonly Run[] =>
    listByMailbox.all(mailboxId, beforeId ?? Number.MAX_SAFE_INTEGER, limit)

  return {
    add: (run, at) => {
      const { uid, mailboxId, phase, trigger, requestedBy, runner, adapter, provider, model, resumeChoice } =
        run
      const row = add.get(
        uid,
        mailboxId,
        phase,
        trigger,
        requestedBy,
        runner,
        adapter,
        provider,
        model,
        resumeChoice,
        run.chatThread ?? null,
        at,
      )
      return row ?? null
    },
    get: (id) => existing(get.get(id), 'run', id),
    find: (id) => get.get(id) ?? null,
    findByUid: (uid) => findByUid.get(uid) ?? null,
    update: patchRow,
    findLive: (mailboxId) => findLive.get(mailboxId) ?? null,
    listLive: () => listLive.all(),
    listDue: (now, limit) => listDue.all(now, limit),
    latest: (mailboxId) => newestFirst(mailboxId, null, 1)[0] ?? null,
    listByMailbox: (mailboxId, limit, beforeId) => newestFirst(mailboxId, beforeId, limit),
    countLive: () => countLive.get() ?? { running: 0, queued: 0 },
  }
}
