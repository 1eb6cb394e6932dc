import type { Database } from 'better-sqlite3'
import type { RunId } from '@shared/model/ids'
import type { LlmSession, Run } from '@shared/model/records'
import type { OutboxState } from '@main/ports/stores'
import type { MemoryRecord, TimelineReader, TimelineRecord } from '@main/ports/timeline-reader'
import { selectList } from './row-values'
import { runColumns } from './run-store'
import { sessionColumns, toSession, type SessionRow } from './session-row'
import { createThreadReader } from './thread-reader'

const run = selectList(runColumns, 'runs')
const session = selectList(sessionColumns)

/** The runs of a page travel as one JSON array, so that a page is always the same four queries. */
const ofRuns = 'run_id IN (SELECT value FROM json_each(?))'

/**
 * Jumps from one memory (an adapter and an id) to the next in the index: a plain GROUP BY would read every session
 * of the issue.
 */
const memoriesSql = `
  WITH RECURSIVE adapters (adapter) AS (
    SELECT min(adapter) FROM llm_sessions INDEXED BY llm_sessions_by_memory
      WHERE mailbox_id = :mailboxId AND native_session_id IS NOT NULL
    UNION ALL
    SELECT (SELECT min(adapter) FROM llm_sessions INDEXED BY llm_sessions_by_memory
      WHERE mailbox_id = :mailboxId AND native_session_id IS NOT NULL AND adapter > adapters.adapter)
    FROM adapters WHERE adapter IS NOT NULL
  ), ids (adapter, native) AS (
    SELECT adapter, (SELECT min(native_session_id) FROM llm_sessions INDEXED BY llm_sessions_by_memory
      WHERE mailbox_id = :mailboxId AND adapter = adapters.adapter AND native_session_id IS NOT NULL)
    FROM adapters WHERE adapter IS NOT NULL
    UNION ALL
    SELECT adapter, (SELECT min(native_session_id) FROM llm_sessions INDEXED BY llm_sessions_by_memory
      WHERE mailbox_id = :mailboxId AND adapter = ids.adapter AND native_session_id > ids.native)
    FROM ids WHERE native IS NOT NULL
  ), ends AS (
    SELECT adapter, native,
      (SELECT min(id) FROM llm_sessions INDEXED BY llm_sessions_by_memory
        WHERE mailbox_id = :mailboxId AND adapter = ids.adapter AND native_session_id = native) AS first,
      (SELECT max(id) FROM llm_sessions INDEXED BY llm_sessions_by_memory
        WHERE mailbox_id = :mailboxId AND adapter = ids.adapter AND native_session_id = native) AS last
    FROM ids WHERE native IS NOT NULL
  )
  SELECT ends.adapter AS adapter, native AS nativeSessionId, f.run_id AS firstRunId, l.run_id AS lastRunId
  FROM ends JOIN llm_sessions f ON f.id = first JOIN llm_sessions l ON l.id = last
  ORDER BY first`

export function createTimelineReader(db: Database): TimelineReader {
  const page = db.prepare<[number, number, number], Run>(
    `SELECT ${run} FROM runs WHERE mailbox_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  )
  const one = db.prepare<[number], Run>(`SELECT ${run} FROM runs WHERE id = ?`)
  const sessions = db.prepare<[string], SessionRow>(
    `SELECT ${session} FROM llm_sessions WHERE ${ofRuns} ORDER BY id`,
  )
  const attempts = db.prepare<[string], { runId: RunId; number: number; imageDigest: string | null }>(
    `SELECT run_id AS runId, number, image_digest AS imageDigest FROM run_attempts WHERE ${ofRuns} ORDER BY run_id, number`,
  )
  const pushes = db.prepare<[string], { runId: RunId; state: OutboxState }>(
    `SELECT run_id AS runId, state FROM outbox INDEXED BY outbox_by_run WHERE ${ofRuns} AND kind = 'push' ORDER BY seq`,
  )
  const count = db.prepare<[number], number>('SELECT count(*) FROM runs WHERE mailbox_id = ?').pluck()
  const memories = db.prepare<[object], MemoryRecord>(memoriesSql)
  const runsOfMemory = db
    .prepare<[number, string, string, number], RunId>(
      `SELECT run_id FROM llm_sessions INDEXED BY llm_sessions_by_memory
       WHERE mailbox_id = ? AND native_session_id = ? AND adapter = ? ORDER BY id DESC LIMIT ?`,
    )
    .pluck()

  const joined = (runs: readonly Run[]): readonly TimelineRecord[] => {
    const ids = JSON.stringify(runs.map(({ id }) => id))
    const sessionsByRun = byRun(sessions.all(ids).map(toSession))
    const attemptsByRun = new Map(attempts.all(ids).map((row) => [row.runId, row]))
    const pushByRun = new Map(pushes.all(ids).map((row) => [row.runId, row.state]))
    return runs.map((row) => ({
      run: row,
      sessions: sessionsByRun.get(row.id) ?? [],
      attempts: attemptsByRun.get(row.id)?.number ?? 0,
      imageDigest: attemptsByRun.get(row.id)?.imageDigest ?? null,
      push: pushByRun.get(row.id) ?? null,
    }))
  }

  return {
    ...createThreadReader(db),
    page: (mailboxId, beforeRunId, limit) =>
      joined(page.all(mailboxId, beforeRunId ?? Number.MAX_SAFE_INTEGER, limit).toReversed()),
    one: (runId) => {
      const row = one.get(runId)
      return row === undefined ? null : (joined([row])[0] ?? null)
    },
    countRuns: (mailboxId) => count.get(mailboxId) ?? 0,
    memories: (mailboxId) => memories.all({ mailboxId }),
    runsOfMemory: (mailboxId, adapter, nativeSessionId, limit) =>
      [...new Set(runsOfMemory.all(mailboxId, nativeSessionId, adapter, limit))].toReversed(),
  }
}

export function byRun(sessions: readonly LlmSession[]): ReadonlyMap<RunId, readonly LlmSession[]> {
  const groups = new Map<RunId, LlmSession[]>()
  for (const row of sessions) {
    const group = groups.get(row.runId)
    if (group) group.push(row)
    else groups.set(row.runId, [row])
  }
  return groups
}
