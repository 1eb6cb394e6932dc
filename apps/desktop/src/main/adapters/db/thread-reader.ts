import type { Database } from 'better-sqlite3'
import type { MailboxId, RunId } from '@shared/model/ids'
import type { ThreadRun, ThreadSession, TimelineReader } from '@main/ports/timeline-reader'
import { fromFlag } from './row-values'

/*
 * The latest runs of every row of a list, in three queries for all of them: the list is the first thing that a window
 * asks for.
 */

type RunRow = ThreadRun['run'] & { readonly mailboxId: MailboxId }
type SessionRow = Omit<ThreadSession, 'resumed'> & { readonly resumed: number }

const runsSql = `
  SELECT r.mailbox_id AS mailboxId, r.id, r.phase, r.state, r.outcome, r.adapter,
    r.started_at AS startedAt, r.ended_at AS endedAt
  FROM json_each(:mailboxIds) AS m CROSS JOIN runs AS r INDEXED BY runs_by_mailbox
    ON r.mailbox_id = m.value AND r.id >= coalesce(
      (SELECT id FROM runs INDEXED BY runs_by_mailbox WHERE mailbox_id = m.value
       ORDER BY id DESC LIMIT 1 OFFSET :length - 1), 0)
  ORDER BY r.id`

const sessionsSql = `
  SELECT run_id AS runId, mode, resumed, resume_fallback AS resumeFallback,
    native_session_id AS nativeSessionId, requested_session_id AS requestedSessionId
  FROM llm_sessions WHERE run_id IN (SELECT value FROM json_each(?)) ORDER BY id`

/** The index alone answers; min(id) is where a memory first appeared. */
const memoryKeysSql = `
  SELECT mailbox_id AS mailboxId, adapter || ':' || native_session_id AS key
  FROM json_each(?) AS m CROSS JOIN llm_sessions AS s INDEXED BY llm_sessions_by_memory
    ON s.mailbox_id = m.value AND s.native_session_id IS NOT NULL
  GROUP BY mailbox_id, adapter, native_session_id ORDER BY min(s.id)`

export function createThreadReader(db: Database): Pick<TimelineReader, 'threads'> {
  const runs = db.prepare<[object], RunRow>(runsSql)
  const sessions = db.prepare<[string], SessionRow>(sessionsSql)
  const memoryKeys = db.prepare<[string], { mailboxId: MailboxId; key: string }>(memoryKeysSql)

  const sessionsOf = (runIds: readonly RunId[]): Map<RunId, ThreadSession[]> => {
    const byRun = new Map<RunId, ThreadSession[]>(runIds.map((id) => [id, []]))
    for (const row of sessions.all(JSON.stringify(runIds))) {
      byRun.get(row.runId)?.push({ ...row, resumed: fromFlag(row.resumed) })
    }
    return byRun
  }

  return {
    threads: (mailboxIds, length) => {
      const ids = JSON.stringify(mailboxIds)
      const rows = runs.all({ mailboxIds: ids, length })
      const sessionsByRun = sessionsOf(rows.map(({ id }) => id))
      const threads = new Map<MailboxId, { runs: ThreadRun[]; memoryKeys: string[] }>()
      for (const { mailboxId, ...run } of rows) {
        const thread = threads.get(mailboxId) ?? { runs: [], memoryKeys: [] }
        thread.runs.push({ run, sessions: sessionsByRun.get(run.id) ?? [] })
        threads.set(mailboxId, thread)
      }
      for (const { mailboxId, key } of memoryKeys.all(ids)) threads.get(mailboxId)?.memoryKeys.push(key)
      return threads
    },
  }
}
