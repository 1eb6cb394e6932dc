import type { Database } from 'better-sqlite3'
import type { PriorSession } from '@shared/model/records'
import type { SessionPatch, SessionStore, SessionTotals } from '@main/ports/stores'
import type { DroppedIdStore } from './dropped-id-store'
import { createRowPatcher } from './patch-row'
import { existing, selectList, toFlag } from './row-values'
import { createSessionFiguresStore, nothingTold, usedOf } from './session-figures-store'
import { sessionColumns, type SessionRow, toSession, toSessionOrNull } from './session-row'
import type { SetAsideStore } from './set-aside-store'

const columns = selectList(sessionColumns)
const { id, runId, mailboxId, adapter, nativeSessionId, stateBytesAfter, createdAt, endedAt } = sessionColumns
const columnsOfPrior = selectList({
  id,
  runId,
  mailboxId,
  adapter,
  nativeSessionId,
  stateBytesAfter,
  createdAt,
  endedAt,
} satisfies Record<keyof PriorSession, string>)

const { id: _, ...insertedColumns } = sessionColumns
const insertSql = `INSERT INTO llm_sessions (${Object.values(insertedColumns).join(', ')})
  VALUES (${Object.keys(insertedColumns)
    .map((field) => `:${field}`)
    .join(', ')}) RETURNING id`

/** Asked for it, or carried it: each half has an index of its own. */
const byRequestedSql = `SELECT ${columns} FROM (
    SELECT id AS found FROM llm_sessions INDEXED BY llm_sessions_by_requested_id
    WHERE mailbox_id = :mailboxId AND requested_session_id = :nativeId
    UNION
    SELECT id FROM llm_sessions INDEXED BY llm_sessions_by_native_id
    WHERE mailbox_id = :mailboxId AND native_session_id = :nativeId
  ) CROSS JOIN llm_sessions ON id = found
  WHERE adapter = :adapter ORDER BY id DESC LIMIT :limit`

const totalsSql = `SELECT count(*) AS sessions, coalesce(sum(cost_usd), 0.0) AS costUsd,
    count(*) - count(cost_usd) AS costUnknown,
    coalesce(sum(input_tokens + output_tokens), 0) AS tokens,
    count(*) - count(input_tokens + output_tokens) AS tokensUnknown
  FROM llm_sessions INDEXED BY llm_sessions_totals WHERE mailbox_id = ?`

/** The part of the session store that writes `llm_sessions`. */
export type SessionRowStore = Omit<SessionStore, keyof SetAsideStore | keyof DroppedIdStore>

const isNotDropped = `NOT EXISTS (SELECT 1 FROM dropped_ids
  WHERE dropped_ids.mailbox_id = llm_sessions.mailbox_id AND dropped_ids.adapter = llm_sessions.adapter
    AND dropped_ids.native_session_id = llm_sessions.native_session_id)`

/** Writes `llm_sessions`, and with the store of figures `session_figures` and `spendings`. */
export function createSessionStore(db: Database): SessionRowStore {
  const prepare = <P extends unknown[]>(rest: string) =>
    db.prepare<P, SessionRow>(`SELECT ${columns} FROM llm_sessions ${rest}`)
  const figures = createSessionFiguresStore(db)
  const add = db.prepare<[object], { id: SessionRow['id'] }>(insertSql)
  const get = prepare<[number]>('WHERE id = ?')
  const findByAttempt = prepare<[number]>('WHERE attempt_id = ?')
  const prepareOfPrior = <P extends unknown[]>(rest: string) =>
    db.prepare<P, PriorSession>(`SELECT ${columnsOfPrior} FROM llm_sessions ${rest}`)
  const findPrior = prepareOfPrior<[number, string, number]>(
    `INDEXED BY llm_sessions_prior WHERE mailbox_id = ? AND adapter = ? AND native_session_id IS NOT NULL
     AND attempt_id <> ? AND ${isNotDropped} ORDER BY id DESC LIMIT 1`,
  )
  const findPriorOfAny = prepareOfPrior<[number, number]>(
    `INDEXED BY llm_sessions_prior_of_any_adapter WHERE mailbox_id = ? AND native_session_id IS NOT NULL
     AND attempt_id <> ? AND ${isNotDropped} ORDER BY id DESC LIMIT 1`,
  )
  const listByRequested = db.prepare<[object], SessionRow>(byRequestedSql)
  const listByMailbox = prepare<[number, number, number]>(
    'WHERE mailbox_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
  )
  const listByRun = prepare<[number]>('WHERE run_id = ? ORDER BY id')
  const listAll = prepare<[number, number]>('WHERE id > ? ORDER BY id LIMIT ?')
  const totals = db.prepare<[number], SessionTotals>(totalsSql)
  const patchRow = createRowPatcher<SessionPatch>(db, 'llm_sessions', sessionColumns)

  return {
    ...figures,
    add: (session) => {
      const flags = { resumed: toFlag(session.resumed), idSetAside: toFlag(session.idSetAside) }
      const row = { ...session, ...flags, ...nothingTold }
      const { id } = existing(add.get(row), 'session of attempt', session.attemptId)
      const used = usedOf(session)
      const { nativeSessionId } = session
      if (used !== null) figures.noteUsed(id, { start: 1, nativeSessionId, ...used }, session.createdAt)
      return { ...session, id }
    },
    get: (id) => toSession(existing(get.get(id), 'session', id)),
    find: (id) => toSessionOrNull(get.get(id)),
    findByAttempt: (attemptId) => toSessionOrNull(findByAttempt.get(attemptId)),
    update: patchRow,
    findPrior: (mailboxId, adapter, excluded) => findPrior.get(mailboxId, adapter, excluded ?? 0) ?? null,
    findPriorOfAnyAdapter: (mailboxId, excluded) => findPriorOfAny.get(mailboxId, excluded ?? 0) ?? null,
    listByRequestedId: (mailboxId, adapter, nativeId, limit) =>
      listByRequested.all({ mailboxId, adapter, nativeId, limit }).map(toSession),
    // The newest page before `beforeId`, turned round: within it, as everywhere, the oldest comes first.
    listByMailbox: (mailboxId, limit, beforeId) =>
      listByMailbox
        .all(mailboxId, beforeId ?? Number.MAX_SAFE_INTEGER, limit)
        .toReversed()
        .map(toSession),
    listByRun: (runId) => listByRun.all(runId).map(toSession),
    listAll: (limit, afterId) => listAll.all(afterId ?? 0, limit).map(toSession),
    totals: (mailboxId) => existing(totals.get(mailboxId), 'totals of mailbox', mailboxId),
  }
}
