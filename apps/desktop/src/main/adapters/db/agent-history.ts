import type { Database } from 'better-sqlite3'
import type { MailboxId } from '@shared/model/ids'
import type { AgentHistory, RunOfAgent, SetAsideId } from '@main/ports/agent-history'
import { selectList } from './row-values'
import { sessionColumns, toSession, type SessionRow } from './session-row'
import { byRun } from './timeline-reader'

/** No index has the adapter first, and none is worth it for one screen: the search ends here. */
const newestRuns = 20_000

export function createAgentHistory(db: Database): AgentHistory {
  const runs = db.prepare<[string, number], RunOfAgent['run']>(
    `SELECT id, state FROM (SELECT id, state, adapter, trigger FROM runs ORDER BY id DESC LIMIT ${newestRuns})
     WHERE adapter = ? AND state = 'ended' AND trigger <> 'import' ORDER BY id DESC LIMIT ?`,
  )
  const sessions = db.prepare<[string], SessionRow>(
    `SELECT ${selectList(sessionColumns)} FROM llm_sessions
     WHERE run_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  )
  const setAside = db.prepare<[string, number], SetAsideId>(
    `SELECT mailbox_id AS mailboxId, iid, native_session_id AS nativeSessionId, reason,
       (SELECT max(id) FROM llm_sessions INDEXED BY llm_sessions_by_native_id
        WHERE mailbox_id = set_aside_ids.mailbox_id AND native_session_id = set_aside_ids.native_session_id
          AND adapter = set_aside_ids.adapter) AS sessionId
     FROM set_aside_ids JOIN mailboxes ON mailboxes.id = mailbox_id
     WHERE adapter = ? ORDER BY set_aside_at DESC, mailbox_id DESC LIMIT ?`,
  )
  const mailboxes = db
    .prepare<[string, number], MailboxId>(
      `SELECT id FROM mailboxes WHERE EXISTS (SELECT 1 FROM llm_sessions INDEXED BY llm_sessions_prior
         WHERE mailbox_id = mailboxes.id AND adapter = ? AND native_session_id IS NOT NULL)
       ORDER BY id DESC LIMIT ?`,
    )
    .pluck()

  return {
    lastRuns(adapter, limit) {
      const found = runs.all(adapter, limit)
      const ofRun = byRun(sessions.all(JSON.stringify(found.map(({ id }) => id))).map(toSession))
      return found.map((run) => ({ run, sessions: ofRun.get(run.id) ?? [] }))
    },
    setAside: (adapter, limit) => setAside.all(adapter, limit),
    mailboxes: (adapter, limit) => mailboxes.all(adapter, limit),
  }
}
